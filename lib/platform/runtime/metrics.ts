import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import { metricsNamespace } from "./env.ts";
import { type MetricWithUnit, metricDimension } from "./telemetry.ts";

type Unit = (typeof MetricUnit)["Count" | "Seconds"];

let metrics: Metrics | undefined;

/** Writes a metric to the log, from which CloudWatch extracts it. */
const publish = (name: string, unit: Unit, value: number): void => {
  metrics ??= new Metrics({
    namespace: metricsNamespace(),
    serviceName: metricDimension.service,
  });
  metrics.addMetric(name, unit, value);
  metrics.publishStoredMetrics();
};

/** Adds 1 to an operational metric, written to the log. */
export const countOccurrence = (name: MetricWithUnit<"count">): void =>
  publish(name, MetricUnit.Count, 1);

/** Records a value of an operational metric in seconds, written to the log. */
export const recordSeconds = (name: MetricWithUnit<"seconds">, seconds: number): void =>
  publish(name, MetricUnit.Seconds, seconds);
