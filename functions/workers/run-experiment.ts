import { executionDeps } from "../../lib/agents/execution/deps.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { runExperiment } from "../../lib/evaluation/experiment/run-experiment.ts";
import * as rows from "./messages.ts";

/** Time reserved for handing over, or for the summary, before the timeout. */
const finishMs = 60_000;

export const handler = consumer(
  rows.runExperiment,
  executionDeps,
  (message, deps, { deadline, attempt }) =>
    runExperiment(deps, message, { until: deadline - finishMs, deadline, attempt }),
);
