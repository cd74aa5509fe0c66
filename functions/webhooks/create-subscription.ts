import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { createSubscription } from "../../lib/webhooks/webhook/create-subscription.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(rows.createSubscription, ({ db, ctx, params, body }) =>
  createSubscription(deps(db), { ctx, webhookId: params.webhook, body }),
);
