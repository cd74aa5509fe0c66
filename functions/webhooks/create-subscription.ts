import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { createSubscription as create } from "../../lib/webhook/create-subscription.ts";
import { createSubscription } from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(createSubscription, deps, ({ ctx, params, body }, deps) =>
  create({ ctx, input: { webhookId: params.webhook, body }, deps }),
);
