import { readPreference } from "../../lib/edge/prefer.ts";
import { streamedEndpoint } from "../../lib/edge/streamed-endpoint.ts";
import { acceptedReply } from "../../lib/executions/accepted-reply.ts";
import { executeAgent } from "../../lib/executions/execute-agent.ts";
import { triggerTypes } from "../../lib/executions/schemas.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.executeAgent,
  async ({ ctx, params, body, headers, ignored }) => {
    const { waitMs, applied } = readPreference(headers);
    const { status, execution } = await executeAgent({
      ctx,
      input: {
        agentId: params.agent,
        body,
        ignored,
        triggerType: triggerTypes.api,
        isSample: false,
        waitMs,
      },
      deps: executionDeps(),
    });
    return status === "ended" ? execution : acceptedReply(ctx, execution, applied);
  },
  { objects: objectStore },
);
