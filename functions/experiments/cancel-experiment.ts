import { endpoint } from "../../lib/edge/endpoint.ts";
import { cancelExperiment } from "../../lib/evaluation/experiment/cancel-experiment.ts";
import { toExperiment } from "../../lib/evaluation/experiment/to-experiment.ts";
import { database } from "../../lib/platform/db/database.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.cancelExperiment, async ({ ctx, params }) =>
  toExperiment(
    await cancelExperiment({ db: database(), clock: ctx.clock }, ctx.tenant.id, params.experiment),
  ),
);
