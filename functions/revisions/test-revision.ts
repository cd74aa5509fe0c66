import { executionDeps } from "../../lib/agents/execution/deps.ts";
import { executeAgent } from "../../lib/agents/execution/execute-agent.ts";
import { triggerTypes } from "../../lib/agents/execution/schemas.ts";
import { accepted } from "../../lib/edge/accepted.ts";
import { readPreference } from "../../lib/edge/prefer.ts";
import { streamedEndpoint } from "../../lib/edge/streamed-endpoint.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

export const handler = streamedEndpoint(
  rows.testRevision,
  async ({ ctx, params, body, headers, ignored }) => {
    const { waitMs, applied } = readPreference(headers);
    const { status, execution } = await executeAgent({
      ctx,
      input: {
        agentId: params.agent,
        body: { ...body, revision: params.revision },
        ignored,
        triggerType: triggerTypes.test,
        isSample: true,
        waitMs,
      },
      deps: executionDeps(),
    });
    if (status === "ended") return execution;
    const records = `${ctx.linkBase}/v1/tenants/${ctx.tenant.id}/agents/${params.agent}/execution-records`;
    return accepted(execution, `${records}/${execution.executionId}`, applied);
  },
  { objects: objectStore },
);
