import { toAgent } from "../../lib/agent/to-agent.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { deployRevision as deploy } from "../../lib/revision/deploy-revision.ts";
import { deployRevision } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(deployRevision, deps, async ({ ctx, params }, deps) =>
  toAgent(await deploy({ ctx, input: { agentId: params.agent, revision: params.revision }, deps })),
);
