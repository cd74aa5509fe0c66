import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type WharfClient } from "../../../client/client.ts";
import type { CreateWebhookBody, UpdateWebhookBody, Webhook } from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";
import { useList } from "../shared/use-list.ts";

const webhooksPath = "/v1/tenants/{tenant}/webhooks";
const pendingMilliseconds = 2_000;

/** Lists the webhooks, newest first. */
export const useWebhooks = (provider: string | undefined) => {
  const client = useClient();
  const tenant = useTenant();
  const list = useList<Webhook>({
    queryKey: [tenant, "webhooks"],
    idOf: ({ id }) => id,
    read: async () => ({
      items: await bodyOf(client.GET(webhooksPath, { params: { path: { tenant } } })),
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
    queryFn: () =>
      bodyOf(client.GET(`${webhooksPath}/{webhook}`, { params: { path: { tenant, webhook } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.status === "PENDING" ? pendingMilliseconds : false,
  });
};

/** A change of webhooks or of what belongs to them, after which they are read again. */
export const useWebhookChange = <Input, Result>(
  change: (client: WharfClient, tenant: string, input: Input) => Promise<Result>,
) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(client, tenant, input),
    onSuccess: () => cache.invalidateQueries({ queryKey: [tenant, "webhooks"] }),
    // Signing secrets are not kept.
    gcTime: 0,
  });
};

/** Creates a webhook. */
export const useCreateWebhook = () =>
  useWebhookChange<CreateWebhookBody, Webhook>((client, tenant, body) =>
    bodyOf(client.POST(webhooksPath, { params: { path: { tenant } }, body })),
  );

/** Changes a webhook. */
export const useUpdateWebhook = (webhook: string) =>
  useWebhookChange<UpdateWebhookBody, Webhook>((client, tenant, body) =>
    bodyOf(
      client.PATCH(`${webhooksPath}/{webhook}`, { params: { path: { tenant, webhook } }, body }),
    ),
  );

/** Deletes a webhook. Leave its page before: it does not exist any more. */
export const useDeleteWebhook = (webhook: string) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () =>
      client.DELETE(`${webhooksPath}/{webhook}`, { params: { path: { tenant, webhook } } }),
    onSuccess: () => {
      cache.removeQueries({ queryKey: [tenant, "webhooks", webhook] });
      return cache.invalidateQueries({ queryKey: [tenant, "webhooks", "pages"] });
    },
  });
};
