import { createAgent } from "../../lib/agents/agent/create-agent.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.createAgent, ({ db, ctx, body }) =>
  createAgent(deps(db), { ctx, body }),
);
