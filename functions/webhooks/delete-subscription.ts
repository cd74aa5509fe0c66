import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { deleteSubscription } from "../../lib/webhooks/webhook/delete-subscription.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.deleteSubscription, async ({ ctx, params }) => {
  const { webhook: webhookId, subscription: subscriptionId } = params;
  await deleteSubscription(deps(), { tenantId: ctx.tenant.id, webhookId, subscriptionId });
  return undefined;
});
