import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { AlarmTopic } from "../constructs/alarm-topic.ts";
import { HouseAlarm } from "../constructs/house-alarm.ts";
import { OperationsDashboard } from "../constructs/operations-dashboard.ts";
import type { Product } from "../functions/product.ts";
import { planAlarms } from "../operations/alarm-plan.ts";
import { planDashboard } from "../operations/dashboard-rows.ts";
import type { Config } from "../settings/config.ts";

/**
 * The alarms, their topic and the dashboard. Refers to resources by name, so that other stacks can be updated
 * independently.
 */
export class OperationsStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    props: StackProps & { config: Config; product: Product; table: Table },
  ) {
    super(scope, id, props);
    const { config, product } = props;
    const prefix = config.STACK_PREFIX;
    const deployment = { config, product, table: props.table.tableName };
    const topic = new AlarmTopic(this, "Alarms", { email: config.ALARM_EMAIL });
    const alarms = planAlarms(deployment).flatMap(({ heading, alarms: rows }) =>
      rows.map((row) => new HouseAlarm(this, { prefix, row, heading, topic })),
    );
    new OperationsDashboard(this, "Dashboard", {
      prefix,
      alarms,
      graphs: planDashboard(deployment),
    });
  }
}
