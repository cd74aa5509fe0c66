import { MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { Duration, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { tableAttributes } from "../../lib/platform/db/table.ts";
import { type QueueName, queueNames } from "../../lib/platform/queue/queues.ts";
import { AlarmTopic } from "../constructs/alarm-topic.ts";
import { HouseAlarm, type HouseAlarmProps } from "../constructs/house-alarm.ts";
import type { FunctionRecord } from "../functions/function-records.ts";
import { everyFunction, type Product } from "../functions/product.ts";
import type { Config } from "../settings/config.ts";
import {
  apiName,
  constructId,
  deadLetterQueueName,
  functionName,
  queueName,
  stageName,
} from "../settings/names.ts";

/** The alarms and their topic. Refers to resources by name, so that other stacks can be updated independently. */
export class OperationsStack extends Stack {
  private readonly topic: AlarmTopic;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & { config: Config; product: Product; table: Table },
  ) {
    super(scope, id, props);
    const { config, product, table } = props;
    this.topic = new AlarmTopic(this, "Alarms", { email: config.ALARM_EMAIL });
    const functions = everyFunction(product);
    this.watchApi(config.STACK_PREFIX);
    for (const [group, members] of Map.groupBy(functions, (each) => each.group)) {
      this.watchFunctions(config.STACK_PREFIX, group, members ?? []);
    }
    for (const queue of queueNames) {
      const consumers = product.workers.filter((each) => each.queue === queue);
      this.watchQueue(
        config.STACK_PREFIX,
        queue,
        Math.max(0, ...consumers.map(({ timeoutSeconds }) => timeoutSeconds)),
      );
    }
    this.watchTable(table);
    this.watchConcurrency(config, product);
    this.watchSchedules(config.STACK_PREFIX);
  }

  private alarm(id: string, props: Omit<HouseAlarmProps, "topic">): void {
    new HouseAlarm(this, id, { ...props, topic: this.topic });
  }

  private watchApi(prefix: string): void {
    this.alarm("ApiServerErrors", {
      metric: sum("AWS/ApiGateway", "5XXError", { ApiName: apiName(prefix), Stage: stageName }),
      threshold: 5,
      userImpact: "Calls to the API fail with 5xx, whatever the callers do.",
    });
  }

  private watchFunctions(prefix: string, group: string, members: readonly FunctionRecord[]): void {
    for (const [at, some] of inTens(members).entries()) {
      const id = `${constructId(group)}${at === 0 ? "" : at + 1}`;
      const total = (metricName: string) =>
        sumMetrics(
          some.map(({ name }) =>
            sum("AWS/Lambda", metricName, { FunctionName: functionName(prefix, name) }),
          ),
        );
      this.alarm(`${id}Errors`, {
        metric: total("Errors"),
        threshold: 1,
        userImpact: `Calls or messages of ${group} end in a crash or a timeout and get no complete response.`,
      });
      this.alarm(`${id}Throttles`, {
        metric: total("Throttles"),
        threshold: 1,
        userImpact: `Requests of ${group} are throttled, or its messages wait: no Lambda concurrency left.`,
      });
    }
  }

  /** The age of a message includes its processing time, at most `workSeconds`. */
  private watchQueue(prefix: string, queue: QueueName, workSeconds: number): void {
    const messages = (name: string, metricName: string) =>
      new Metric({
        namespace: "AWS/SQS",
        metricName,
        dimensionsMap: { QueueName: name },
        statistic: Stats.MAXIMUM,
        period,
      });
    this.alarm(`${constructId(queue)}DeadLetters`, {
      metric: messages(deadLetterQueueName(prefix, queue), "ApproximateNumberOfMessagesVisible"),
      threshold: 1,
      userImpact: `Accepted work of the queue ${queue} failed five times and waits in the dead-letter queue.`,
    });
    this.alarm(`${constructId(queue)}Age`, {
      metric: messages(queueName(prefix, queue), "ApproximateAgeOfOldestMessage"),
      threshold: longestWaitSeconds + workSeconds,
      userImpact: `Accepted work of the queue ${queue} has waited for a quarter of an hour.`,
    });
  }

  /** Failures that never reach a queue or a dead-letter queue. */
  private watchSchedules(group: string): void {
    this.alarm("SchedulesDropped", {
      metric: sum("AWS/Scheduler", "InvocationDroppedCount", { ScheduleGroup: group }),
      threshold: 1,
      userImpact: "Scheduled runs of agents were dropped: their queue accepted none for a day.",
    });
    this.alarm("SchedulesRefused", {
      metric: sum("AWS/Scheduler", "TargetErrorCount", { ScheduleGroup: group }),
      threshold: 1,
      userImpact: "Scheduled runs of agents wait, as their queue does not take them.",
    });
  }

  /** A loop of messages, which Lambda does not stop where it is allowed, uses up the concurrency of its queue. */
  private watchConcurrency(
    { STACK_PREFIX: prefix, ACCOUNT_CONCURRENCY: quota }: Config,
    { workers }: Product,
  ): void {
    this.alarm("Concurrency", {
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "ConcurrentExecutions",
        statistic: Stats.MAXIMUM,
        period,
      }),
      threshold: Math.floor(quota * 0.8),
      userImpact: "Requests will soon be throttled: little Lambda concurrency is left.",
    });
    for (const [at, some] of inTens(workers).entries()) {
      this.alarm(`LoopsDropped${at === 0 ? "" : at + 1}`, {
        metric: sumMetrics(
          some.map(({ name }) =>
            sum("AWS/Lambda", "RecursiveInvocationsDropped", {
              FunctionName: functionName(prefix, name),
            }),
          ),
        ),
        threshold: 1,
        userImpact: "Accepted work was dropped by the loop detection of Lambda, which must be off.",
      });
    }
  }

  private watchTable({ tableName }: Table): void {
    const dimensions: Record<string, string>[] = [
      { TableName: tableName },
      { TableName: tableName, GlobalSecondaryIndexName: tableAttributes.index },
    ];
    this.alarm("TableThrottles", {
      metric: sumMetrics(
        dimensions.flatMap((each) => [
          sum("AWS/DynamoDB", "ReadThrottleEvents", each),
          sum("AWS/DynamoDB", "WriteThrottleEvents", each),
        ]),
      ),
      threshold: 10,
      userImpact: "Calls are slow or fail, as DynamoDB turns reads or writes away.",
    });
  }
}

const period = Duration.minutes(5);
const longestWaitSeconds = 15 * 60;

const sum = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
): Metric => new Metric({ namespace, metricName, dimensionsMap, statistic: Stats.SUM, period });

const sumMetrics = (metrics: readonly Metric[]): MathExpression => {
  const usingMetrics = Object.fromEntries(metrics.map((metric, at) => [`m${at}`, metric]));
  return new MathExpression({
    expression: `SUM([${Object.keys(usingMetrics)
      .map((id) => `FILL(${id}, 0)`)
      .join(", ")}])`,
    usingMetrics,
    period,
  });
};

/** CloudWatch allows at most ten metrics per alarm. */
const inTens = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / 10) }, (_, at) =>
    items.slice(at * 10, at * 10 + 10),
  );
