import { createAgent } from "../../lib/agents/agent/create-agent.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.createAgent, ({ ctx, body }) =>
  createAgent(deps(), { ctx, body }),
);
