import { database } from "../../lib/db/database.ts";
import { unpackValue } from "../../lib/db/large-value.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { fitDetail } from "../../lib/execution/fit-detail.ts";
import { getExecution } from "../../lib/execution/store.ts";
import { notFound } from "../../lib/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getExecutionRecord, async ({ ctx, params }) => {
  const objects = objectStore();
  const found = await getExecution(database(), ctx.tenant.id, params.agent, params.executionRecord);
  if (!found) throw notFound("execution record", params.executionRecord);
  const { item, input, output } = found;
  const values = fitDetail({
    input: await unpackValue(input.input, objects),
    output: output ? await unpackValue(output.output, objects) : null,
  });
  return {
    ...item,
    ...values,
    error: output?.error ?? null,
    metadata: input.metadata,
  };
});
