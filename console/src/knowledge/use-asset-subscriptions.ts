import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { Webhook, WebhookSubscription } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { isNotFound } from "../shared/problem.ts";

const webhooksPath = "/v1/tenants/{tenant}/webhooks";

/** A subscription with its webhook. */
export type AssetSubscription = { webhook: Webhook; subscription: WebhookSubscription };

/** Reads the subscriptions of an asset: the API lists them by webhook. */
export const useAssetSubscriptions = (asset: string) => {
  const client = useClient();
  const tenant = useTenant();
  const listSubscriptions = async (webhook: Webhook): Promise<AssetSubscription[]> => {
    const path = { tenant, webhook: webhook.id };
    const subscriptions = await unwrapBody(
      client.GET(`${webhooksPath}/{webhook}/subscriptions`, { params: { path } }),
    ).catch((error: unknown) => {
      // Deleted since the webhooks were listed.
      if (isNotFound(error)) return [];
      throw error;
    });
    return subscriptions
      .filter(
        ({ subscriberType, subscriberId }) => subscriberType === "Asset" && subscriberId === asset,
      )
      .map((subscription) => ({ webhook, subscription }));
  };
  return useQuery({
    // Changes of webhooks read it again.
    queryKey: [tenant, "webhooks", "subscriptions-of-asset", asset],
    queryFn: async () => {
      const webhooks = await unwrapBody(client.GET(webhooksPath, { params: { path: { tenant } } }));
      return (await Promise.all(webhooks.map(listSubscriptions))).flat();
    },
  });
};
