import { toAgent } from "../../lib/agent/to-agent.ts";
import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { deployRevision } from "../../lib/revision/deploy-revision.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore(), send });

export const handler = endpoint(rows.deployRevision, async ({ ctx, params }) =>
  toAgent(
    await deployRevision({
      ctx,
      input: { agentId: params.agent, revision: params.revision },
      deps: deps(),
    }),
  ),
);
