import { type MetricName, metricDimension } from "../../lib/platform/runtime/telemetry.ts";
import { apiName, functionName, metricsNamespace, stageName } from "../settings/names.ts";
import type { MetricRow } from "./alarm-row.ts";

/** Metric of calls that ended without a response of the product, from the access log. */
export const brokenCalls = "BrokenCalls";

/** Returns a metric of the REST API. */
export const apiMetric = (prefix: string, name: string, statistic: string): MetricRow => ({
  namespace: "AWS/ApiGateway",
  name,
  dimensions: { ApiName: apiName(prefix), Stage: stageName },
  statistic,
});

/** Returns a metric of one function. */
export const functionMetric = (
  prefix: string,
  operation: string,
  name: string,
  statistic: string,
): MetricRow => ({
  namespace: "AWS/Lambda",
  name,
  dimensions: { FunctionName: functionName(prefix, operation) },
  statistic,
});

/** Returns the metric that Lambda adds up over all functions of the account and the region. */
export const accountMetric = (name: string, statistic: string): MetricRow => ({
  namespace: "AWS/Lambda",
  name,
  dimensions: {},
  statistic,
});

/** Returns a metric of a queue by its physical name. */
export const queueMetric = (queue: string, name: string): MetricRow => ({
  namespace: "AWS/SQS",
  name,
  dimensions: { QueueName: queue },
  statistic: "Maximum",
});

/** Returns a metric of the schedules of job policies. */
export const scheduleMetric = (group: string, name: string): MetricRow => ({
  namespace: "AWS/Scheduler",
  name,
  dimensions: { ScheduleGroup: group },
  statistic: "Sum",
});

/** Returns a metric of the table, or of its index. */
export const tableMetric = (
  { table, index }: { table: string; index?: string },
  name: string,
): MetricRow => ({
  namespace: "AWS/DynamoDB",
  name,
  dimensions: {
    TableName: table,
    ...(index !== undefined && { GlobalSecondaryIndexName: index }),
  },
  statistic: "Sum",
});

/** Returns a metric that the product's functions write. */
export const productMetric = (prefix: string, name: MetricName, statistic: string): MetricRow => ({
  namespace: metricsNamespace(prefix),
  name,
  dimensions: metricDimension,
  statistic,
});

/** Returns the metric that is counted in the access log. */
export const accessLogMetric = (prefix: string): MetricRow => ({
  namespace: metricsNamespace(prefix),
  name: brokenCalls,
  dimensions: {},
  statistic: "Sum",
});
