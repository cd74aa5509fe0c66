import { toAgent } from "../../lib/agents/agent/to-agent.ts";
import { deployTested } from "../../lib/evaluation/experiment/deploy-tested.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore(), send });

export const handler = endpoint(rows.deployRevision, async ({ db, ctx, params, body }) =>
  toAgent(
    await deployTested(deps(db), { ctx, agentId: params.agent, revision: params.revision, body }),
  ),
);
