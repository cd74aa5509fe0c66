import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import {
  type AlarmRow,
  type MetricRow,
  periodMinutes,
  type TimedFunction,
  type Watch,
} from "../operations/alarm-row.ts";
import { alarmName } from "../settings/names.ts";

/** Properties of an alarm. */
export type HouseAlarmProps = { prefix: string; row: AlarmRow; heading: string; topic: ITopic };

/** The alarm of a row, which states its effect on users and its runbook. Missing data is not breaching. */
export class HouseAlarm extends Alarm {
  constructor(scope: Construct, { prefix, row, heading, topic }: HouseAlarmProps) {
    super(scope, row.id, {
      alarmName: alarmName(prefix, row.id),
      metric: toWatched(row.watch),
      threshold: row.threshold,
      evaluationPeriods: row.periods ?? 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `${row.users} See "${heading}" in docs/operations.md.`,
    });
    this.addAlarmAction(new SnsAction(topic));
  }
}

const period = Duration.minutes(periodMinutes);

/** Converts a row to a metric of CloudWatch. */
export const toMetric = (
  { namespace, name, dimensions, statistic }: MetricRow,
  label?: string,
): Metric =>
  new Metric({
    namespace,
    metricName: name,
    dimensionsMap: { ...dimensions },
    statistic,
    period,
    ...(label !== undefined && { label }),
  });

const toWatched = (watch: Watch): IMetric =>
  watch.kind === "sum" ? toSum(watch.metrics) : toSlowest(watch.functions, watch.leastCalls);

const toSum = (rows: readonly MetricRow[]): IMetric => {
  const [first, ...others] = rows;
  if (first && others.length === 0) return toMetric(first);
  const usingMetrics = Object.fromEntries(rows.map((row, at) => [`m${at}`, toMetric(row)]));
  const terms = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return new MathExpression({ expression: `SUM([${terms.join(", ")}])`, usingMetrics, period });
};

/** The durations count only in periods with enough calls for a percentile. */
const toSlowest = (functions: readonly TimedFunction[], leastCalls: number): MathExpression => {
  const usingMetrics = Object.fromEntries(
    functions.flatMap(({ duration, calls }, at) => [
      [`d${at}`, toMetric(duration)],
      [`c${at}`, toMetric(calls)],
    ]),
  );
  const terms = functions.map(
    (_, at) => `IF(FILL(c${at}, 0) >= ${leastCalls}, FILL(d${at}, 0), 0)`,
  );
  return new MathExpression({ expression: `MAX([${terms.join(", ")}])`, usingMetrics, period });
};
