import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { ReplayDeliveryBody, WebhookDelivery } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const deliveriesPath = "/v1/tenants/{tenant}/webhooks/{webhook}/deliveries";

/** Lists the deliveries of a webhook, newest first; new ones appear by themselves. */
export const useDeliveries = (webhook: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<WebhookDelivery>({
    queryKey: [tenant, "webhooks", webhook, "deliveries"],
    getId: ({ id }) => id,
    isLive: true,
    read: (query) =>
      unwrapBody(client.GET(deliveriesPath, { params: { path: { tenant, webhook }, query } })),
  });
};

const liveMilliseconds = 1_000;

/** Reads a delivery; again every second until it has `runs` runs and none is pending. */
export const useDelivery = (webhook: string, delivery: string, runs: number) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "webhooks", webhook, "deliveries", delivery],
    queryFn: () =>
      unwrapBody(
        client.GET(`${deliveriesPath}/{delivery}`, {
          params: { path: { tenant, webhook, delivery } },
        }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data && (data.runs.length < runs || data.runs.some(({ status }) => status === "Pending"))
        ? liveMilliseconds
        : false,
  });
};

/** Sends a sample event of the provider to the subscribers of a webhook; by default the most common one. */
export const useSendTestEvent = (webhook: string) =>
  useAction(
    ["webhooks"],
    ({ client, tenant }, eventType: string | undefined) =>
      unwrapBody(
        client.POST("/v1/tenants/{tenant}/webhooks/{webhook}:test", {
          params: { path: { tenant, webhook } },
          body: eventType === undefined ? {} : { eventType },
        }),
      ),
    { done: ({ eventType }) => `Sent ${eventType}.` },
  );

/** Replays a delivery to all current subscriptions, or to one. */
export const useReplay = (webhook: string, delivery: string) =>
  useAction(["webhooks"], ({ client, tenant }, body: ReplayDeliveryBody) =>
    unwrapBody(
      client.POST(`${deliveriesPath}/{delivery}:replay`, {
        params: { path: { tenant, webhook, delivery } },
        body,
      }),
    ),
  );
