import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { deleteWebhook } from "../../lib/webhooks/webhook/delete-webhook.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.deleteWebhook, async ({ db, ctx, params }) => {
  await deleteWebhook(
    { ...deps(db), clock: ctx.clock },
    { tenantId: ctx.tenant.id, webhookId: params.webhook },
  );
  return undefined;
});
