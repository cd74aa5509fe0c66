import { atBasePath } from "../../lib/agents/execution/error.ts";
import { fitDetail } from "../../lib/agents/execution/fit-detail.ts";
import { requireScopeOrStarter } from "../../lib/agents/execution/require-starter.ts";
import { getExecution } from "../../lib/agents/execution/store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { unpackValue } from "../../lib/platform/db/large-value.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getExecutionRecord, async ({ ctx, params }) => {
  const objects = objectStore();
  const found = await getExecution(database(), ctx.tenant.id, params.agent, params.executionRecord);
  requireScopeOrStarter(ctx.principal, rows.getExecutionRecord.scope, found?.item.trigger);
  if (!found) throw notFound("execution record", params.executionRecord);
  const { item, input, output } = found;
  const values = fitDetail({
    input: await unpackValue(input.input, objects),
    output: output ? await unpackValue(output.output, objects) : null,
  });
  return {
    ...item,
    ...values,
    error: atBasePath(output?.error, ctx.basePath),
    metadata: input.metadata,
  };
});
