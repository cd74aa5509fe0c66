import { toAgent } from "../../lib/agent/to-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { deployRevision as deploy } from "../../lib/revision/deploy-revision.ts";
import { deployRevision } from "./routes.ts";

export const handler = endpoint(deployRevision, database, async ({ ctx, params }, db) =>
  toAgent(
    await deploy({
      ctx,
      input: { agentId: params.agent, revision: params.revision },
      deps: { db },
    }),
  ),
);
