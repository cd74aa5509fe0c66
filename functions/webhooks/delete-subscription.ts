import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { deleteSubscription as remove } from "../../lib/webhook/delete-subscription.ts";
import { deleteSubscription } from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(deleteSubscription, deps, async ({ ctx, params }, deps) => {
  const { webhook: webhookId, subscription: subscriptionId } = params;
  await remove(ctx.tenant.id, { webhookId, subscriptionId }, deps);
  return undefined;
});
