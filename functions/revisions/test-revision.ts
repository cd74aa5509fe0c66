import { acceptedReply, readPreference } from "../../lib/edge/prefer.ts";
import { executeAgent } from "../../lib/executions/run/execute-agent.ts";
import { finalStatuses, triggerTypes } from "../../lib/executions/schemas.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import { streamedEndpoint } from "../deps/streamed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.testRevision,
  async ({ ctx, params, body, headers, ignored }) => {
    const { waitMs, applied } = readPreference(headers);
    const result = await executeAgent(executionDeps(), {
      ctx,
      agentId: params.agent,
      body: { ...body, revision: params.revision },
      ignored,
      triggerType: triggerTypes.test,
      isSample: true,
      waitMs,
    });
    if (finalStatuses.has(result.status)) return result;
    const path = `agents/${result.agentId}/execution-records/${result.executionId}`;
    return acceptedReply(ctx, { body: result, path, applied });
  },
  { objects: objectStore },
);
