import type { Database } from "../../lib/platform/db/database.ts";
import { deleteSubscription } from "../../lib/webhooks/webhook/delete-subscription.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.deleteSubscription, async ({ db, ctx, params }) => {
  const { webhook: webhookId, subscription: subscriptionId } = params;
  await deleteSubscription(deps(db), { tenantId: ctx.tenant.id, webhookId, subscriptionId });
  return undefined;
});
