import { createAgent } from "../../lib/agents/agent/create-agent.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.createAgent, ({ db, ctx, body }) =>
  createAgent(deps(db), { ctx, body }),
);
