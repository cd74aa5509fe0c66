import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { sendTestEvent } from "../../lib/webhooks/delivery/send-test-event.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore(), send });

export const handler = endpoint(rows.sendTestEvent, ({ db, ctx, params, body }) =>
  sendTestEvent(deps(db), { ctx, webhookId: params.webhook, body }),
);
