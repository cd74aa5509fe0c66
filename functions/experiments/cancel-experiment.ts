import { cancelExperiment } from "../../lib/evaluation/experiment/cancel-experiment.ts";
import { toExperiment } from "../../lib/evaluation/experiment/to-experiment.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.cancelExperiment, async ({ db, ctx, params }) =>
  toExperiment(
    await cancelExperiment(
      { db, clock: ctx.clock },
      { tenantId: ctx.tenant.id, experimentId: params.experiment },
    ),
  ),
);
