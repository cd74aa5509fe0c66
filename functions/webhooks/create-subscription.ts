import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { createSubscription } from "../../lib/webhook/create-subscription.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.createSubscription, ({ ctx, params, body }) =>
  createSubscription({ ctx, input: { webhookId: params.webhook, body }, deps: deps() }),
);
