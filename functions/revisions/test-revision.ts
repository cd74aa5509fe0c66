import { executionDeps } from "../../lib/execution/deps.ts";
import { executeAgent } from "../../lib/execution/execute-agent.ts";
import { readPreference } from "../../lib/execution/prefer.ts";
import { triggerTypes } from "../../lib/execution/schemas.ts";
import { streamedEndpoint } from "../../lib/http/endpoint.ts";
import { testRevision } from "./routes.ts";

export const handler = streamedEndpoint(
  testRevision,
  executionDeps,
  ({ ctx, params, body, headers }, deps) =>
    executeAgent({
      ctx: { ...ctx, agentPath: `/v1/tenants/${ctx.tenant.id}/agents/${params.agent}` },
      input: {
        agentId: params.agent,
        body: { ...body, revision: params.revision },
        triggerType: triggerTypes.test,
        isSample: true,
        preference: readPreference(headers),
      },
      deps,
    }),
);
