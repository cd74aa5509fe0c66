import { prepareDraft } from "../../lib/agents/revision/draft.ts";
import { acceptedReply, readPreference } from "../../lib/edge/prefer.ts";
import { executeAgent } from "../../lib/executions/run/execute-agent.ts";
import { finalStatuses, triggerTypes } from "../../lib/executions/schemas.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { insufficientScope } from "../../lib/platform/http/problems.ts";
import { bedrockModels } from "../../lib/platform/runtime/env.ts";
import { hasScope } from "../../lib/tenancy/collaborator/may.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import { streamedEndpoint } from "../deps/streamed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.testDraft,
  async ({ ctx, params: { agent: agentId }, body, headers, ignored }) => {
    if (!hasScope(ctx.principal, "revisions:write")) throw insufficientScope("revisions:write");
    const deps = { ...executionDeps(), bedrockModels: bedrockModels() };
    const { waitMs, applied } = readPreference(headers);
    const result = await executeAgent(deps, {
      ctx,
      agentId,
      body: { input: body.input },
      draft: await prepareDraft(deps, { ctx, agentId, body }),
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
