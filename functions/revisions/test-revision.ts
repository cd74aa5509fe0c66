import { readPreference } from "../../lib/edge/prefer.ts";
import { streamedEndpoint } from "../../lib/edge/streamed-endpoint.ts";
import { finalStatuses, triggerTypes } from "../../lib/executions/record/schemas.ts";
import { acceptedReply } from "../../lib/executions/run/accepted-reply.ts";
import { executeAgent } from "../../lib/executions/run/execute-agent.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { executionDeps } from "../deps/execution-deps.ts";
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
    return finalStatuses.has(result.status) ? result : acceptedReply(ctx, result, applied);
  },
  { objects: objectStore },
);
