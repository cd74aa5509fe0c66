import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  PeriodOverride,
  SearchExpression,
} from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { periodMinutes } from "../operations/alarm-row.ts";
import type { GraphRow, LineRow } from "../operations/dashboard-rows.ts";
import { dashboardName } from "../settings/names.ts";
import { toMetric } from "./house-alarm.ts";

/** Columns of a dashboard, of which a graph takes a third. */
const columns = 24;
const perLine = 3;

/** The dashboard of an installation: the state of all alarms, then a graph for each row. */
export class OperationsDashboard extends Dashboard {
  constructor(
    scope: Construct,
    id: string,
    {
      prefix,
      alarms,
      graphs,
    }: { prefix: string; alarms: readonly Alarm[]; graphs: readonly GraphRow[] },
  ) {
    super(scope, id, {
      dashboardName: dashboardName(prefix),
      defaultInterval: Duration.hours(12),
      periodOverride: PeriodOverride.INHERIT,
    });
    this.addWidgets(
      new AlarmStatusWidget({ title: "Alarms", alarms: [...alarms], width: columns, height: 6 }),
    );
    for (let at = 0; at < graphs.length; at += perLine) {
      this.addWidgets(...graphs.slice(at, at + perLine).map(toWidget));
    }
  }
}

const toWidget = ({ title, unit, lines }: GraphRow): GraphWidget =>
  new GraphWidget({
    title,
    left: lines.map(toLine),
    leftYAxis: { label: unit, min: 0, showUnits: false },
    width: columns / perLine,
    height: 7,
  });

const toLine = (line: LineRow): IMetric =>
  "metric" in line
    ? toMetric(line.metric, line.label)
    : new SearchExpression({
        expression: line.search,
        label: line.label,
        period: Duration.minutes(periodMinutes),
      });
