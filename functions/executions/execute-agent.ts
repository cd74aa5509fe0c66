import { executionDeps } from "../../lib/agents/execution/deps.ts";
import { executeAgent } from "../../lib/agents/execution/execute-agent.ts";
import { readPreference } from "../../lib/agents/execution/prefer.ts";
import { triggerTypes } from "../../lib/agents/execution/schemas.ts";
import { streamedEndpoint } from "../../lib/edge/streamed-endpoint.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.executeAgent,
  ({ ctx, params, body, headers }) =>
    executeAgent({
      ctx: { ...ctx, agentPath: `/v1/tenants/${ctx.tenant.id}/agents/${params.agent}` },
      input: {
        agentId: params.agent,
        body,
        triggerType: triggerTypes.api,
        isSample: false,
        preference: readPreference(headers),
      },
      deps: executionDeps(),
    }),
  { objects: objectStore },
);
