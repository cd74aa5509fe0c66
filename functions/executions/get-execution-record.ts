import { database } from "../../lib/db/database.ts";
import { unpackValue } from "../../lib/db/large-value.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { fitDetail } from "../../lib/execution/fit-detail.ts";
import { getExecution } from "../../lib/execution/store.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { notFound } from "../../lib/http/problems.ts";
import { getExecutionRecord } from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(
  getExecutionRecord,
  deps,
  async ({ ctx, params }, { db, objects }) => {
    const found = await getExecution(db, ctx.tenant.id, params.agent, params.executionRecord);
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
  },
);
