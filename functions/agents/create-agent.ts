import { createAgent as create } from "../../lib/agent/create-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { createAgent } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(createAgent, deps, ({ ctx, body }, deps) =>
  create({ ctx, input: body, deps }),
);
