import { executionDeps } from "../../lib/execution/deps.ts";
import { executeAgent as execute } from "../../lib/execution/execute-agent.ts";
import { readPreference } from "../../lib/execution/prefer.ts";
import { triggerTypes } from "../../lib/execution/schemas.ts";
import { streamedEndpoint } from "../../lib/http/endpoint.ts";
import { executeAgent } from "./routes.ts";

export const handler = streamedEndpoint(
  executeAgent,
  executionDeps,
  ({ ctx, params, body, headers }, deps) =>
    execute({
      ctx: { ...ctx, agentPath: `/v1/tenants/${ctx.tenant.id}/agents/${params.agent}` },
      input: {
        agentId: params.agent,
        body,
        triggerType: triggerTypes.api,
        isSample: false,
        preference: readPreference(headers),
      },
      deps,
    }),
);
