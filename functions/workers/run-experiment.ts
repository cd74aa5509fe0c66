import { consumer } from "../../lib/edge/consumer.ts";
import { runExperiment } from "../../lib/evaluation/experiment/run-experiment.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import * as rows from "./messages.ts";

/** A driver hands over this long before the timeout, after 5 minutes, so that experiments of others have their turn. */
const restMs = 10 * 60_000;

export const handler = consumer(
  rows.runExperiment,
  executionDeps,
  (message, deps, { deadline, attempt }) =>
    runExperiment(deps, { message, receipt: { until: deadline - restMs, deadline, attempt } }),
);
