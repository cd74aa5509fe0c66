import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";

let metrics: Metrics | undefined;

/** Counts one occurrence of something that an operator should know of, written to the log as a metric. */
export const countOccurrence = (
  name: "RateLimitCounterFailed" | "AnswerNotRemembered" | "TenantSlotsFailed",
): void => {
  metrics ??= new Metrics({ namespace: "Wharf" });
  metrics.addMetric(name, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
};
