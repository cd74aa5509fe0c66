import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { MetricName } from "./telemetry.ts";

let metrics: Metrics | undefined;

/** Adds 1 to an operational metric, written to the log. */
export const countOccurrence = (name: MetricName): void => {
  metrics ??= new Metrics({ namespace: "Wharf" });
  metrics.addMetric(name, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
};
