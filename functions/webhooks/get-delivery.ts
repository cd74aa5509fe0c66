import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { signObjectUrl } from "../../lib/platform/db/sign-object-url.ts";
import { getDeliveryDetail } from "../../lib/webhooks/delivery/get-delivery.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore(), signUrl: signObjectUrl });

export const handler = endpoint(rows.getDelivery, ({ db, ctx, params }) => {
  const input = { webhookId: params.webhook, deliveryId: params.delivery };
  return getDeliveryDetail(deps(db), { ctx, ...input });
});
