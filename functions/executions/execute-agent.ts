import { objectStore } from "../../lib/db/object-store.ts";
import { streamedEndpoint } from "../../lib/edge/streamed-endpoint.ts";
import { executionDeps } from "../../lib/execution/deps.ts";
import { executeAgent } from "../../lib/execution/execute-agent.ts";
import { readPreference } from "../../lib/execution/prefer.ts";
import { triggerTypes } from "../../lib/execution/schemas.ts";
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
