import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { Webhook } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";
import { toCreateBody, toUpdateBody, type WebhookForm } from "./webhook-form.ts";

const webhooksPath = "/v1/tenants/{tenant}/webhooks";
const webhookPath = `${webhooksPath}/{webhook}` as const;
const pendingMilliseconds = 2_000;

/** Lists the webhooks, newest first. */
export const useWebhooks = (provider: string | undefined) => {
  const client = useClient();
  const tenant = useTenant();
  const list = useList<Webhook>({
    queryKey: [tenant, "webhooks"],
    getId: ({ id }) => id,
    read: async () => ({
      items: await unwrapBody(client.GET(webhooksPath, { params: { path: { tenant } } })),
      nextPageToken: null,
    }),
  });
  const items = list.items.filter((webhook) => !provider || webhook.provider === provider);
  return { ...list, items };
};

/** Reads a webhook; again every few seconds while it is being registered. */
export const useWebhook = (webhook: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "webhooks", webhook],
    queryFn: () => unwrapBody(client.GET(webhookPath, { params: { path: { tenant, webhook } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.status === "PENDING" ? pendingMilliseconds : false,
  });
};

/** Creates a webhook, or changes this one. */
export const useSaveWebhook = (webhook?: Webhook) =>
  useAction(
    ["webhooks"],
    ({ client, tenant }, form: WebhookForm) => {
      if (!webhook) {
        const body = toCreateBody(form);
        return unwrapBody(client.POST(webhooksPath, { params: { path: { tenant } }, body }));
      }
      const path = { tenant, webhook: webhook.id };
      return unwrapBody(
        client.PATCH(webhookPath, { params: { path }, body: toUpdateBody(webhook, form) }),
      );
    },
    { done: webhook && "Saved the webhook." },
  );

/** Registers a webhook at its provider again. */
export const useRetryRegistration = (webhook: string) =>
  useAction(
    ["webhooks"],
    ({ client, tenant }) =>
      unwrapBody(
        client.PATCH(webhookPath, {
          params: { path: { tenant, webhook } },
          body: { status: "ACTIVE" },
        }),
      ),
    { done: "Started the registration." },
  );

/** Deletes a webhook. */
export const useDeleteWebhook = (webhook: string) =>
  useAction(
    ["webhooks"],
    ({ client, tenant }) => client.DELETE(webhookPath, { params: { path: { tenant, webhook } } }),
    { removed: ["webhooks", webhook] },
  );
