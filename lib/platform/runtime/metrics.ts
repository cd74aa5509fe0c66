import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";

let metrics: Metrics | undefined;

/** Adds 1 to an operational metric, written to the log. */
export const countOccurrence = (
  name: "RateLimitCounterFailed" | "AnswerNotRemembered" | "TenantSlotsFailed",
): void => {
  metrics ??= new Metrics({ namespace: "Wharf" });
  metrics.addMetric(name, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
};
