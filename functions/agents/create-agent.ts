import { createAgent } from "../../lib/agent/create-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.createAgent, ({ ctx, body }) =>
  createAgent({ ctx, input: body, deps: deps() }),
);
