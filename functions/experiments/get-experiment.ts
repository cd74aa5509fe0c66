import { getWholeExperiment } from "../../lib/evaluation/experiment/store.ts";
import { toExperimentDetail } from "../../lib/evaluation/experiment/to-experiment.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getExperiment, async ({ db, ctx, params }) => {
  const storage = { db, objects: objectStore() };
  const whole = await getWholeExperiment(storage, ctx.tenant.id, params.experiment);
  if (!whole) throw notFound("experiment", params.experiment);
  return toExperimentDetail(whole);
});
