import { unwrapBody } from "../../../client/client.ts";
import type {
  CreateSubscriptionBody,
  UpdateSubscriptionBody,
  WebhookSubscription,
} from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const subscriptionsPath = "/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions";
const subscriptionPath = `${subscriptionsPath}/{subscription}` as const;

/** Lists the subscriptions of a webhook. */
export const useSubscriptions = (webhook: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<WebhookSubscription>({
    queryKey: [tenant, "webhooks", webhook, "subscriptions"],
    getId: ({ id }) => id,
    read: async () => ({
      items: await unwrapBody(
        client.GET(subscriptionsPath, { params: { path: { tenant, webhook } } }),
      ),
      nextPageToken: null,
    }),
  });
};

/** Creates a subscription. */
export const useCreateSubscription = (webhook: string) =>
  useAction(
    ["webhooks"],
    ({ client, tenant }, body: CreateSubscriptionBody) =>
      unwrapBody(client.POST(subscriptionsPath, { params: { path: { tenant, webhook } }, body })),
    { done: "Created the subscription." },
  );

/** Changes a subscription. */
export const useUpdateSubscription = ({ webhookId: webhook, id }: WebhookSubscription) =>
  useAction(
    ["webhooks"],
    ({ client, tenant }, body: UpdateSubscriptionBody) =>
      unwrapBody(
        client.PATCH(subscriptionPath, {
          params: { path: { tenant, webhook, subscription: id } },
          body,
        }),
      ),
    { done: "Saved the subscription." },
  );

/** Deletes a subscription. */
export const useDeleteSubscription = ({ webhookId: webhook, id }: WebhookSubscription) =>
  useAction(["webhooks"], ({ client, tenant }) =>
    client.DELETE(subscriptionPath, { params: { path: { tenant, webhook, subscription: id } } }),
  );
