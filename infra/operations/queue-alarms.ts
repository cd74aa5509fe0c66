import { type QueueName, queueNames } from "../../lib/platform/queue/queues.ts";
import type { FunctionRecord } from "../functions/function-records.ts";
import type { Product } from "../functions/product.ts";
import { constructId, deadLetterQueueName, logGroupName, queueName } from "../settings/names.ts";
import { type AlarmSection, inGroups, mostMetrics, type Sentence } from "./alarm-row.ts";
import { functionMetric, productMetric, queueMetric, scheduleMetric } from "./metric-rows.ts";
import { findWorkerErrors, rollBack } from "./steps.ts";

/** Effect on users of work that waits, and of work that failed five times, by queue. */
const effects: Readonly<Record<QueueName, { late: Sentence; lost: Sentence }>> = {
  calls: {
    late: "Event destinations are called late.",
    lost: "Event destinations miss events.",
  },
  chats: {
    late: "Agents reply late in chats.",
    lost: "Chat messages have no reply.",
  },
  deliveries: {
    late: "Webhook deliveries start agents late.",
    lost: "Webhook deliveries started no agent.",
  },
  documents: {
    late: "Uploaded files are not searchable yet.",
    lost: "Uploaded files are not searchable.",
  },
  evaluations: {
    late: "Scores of online evaluations appear late.",
    lost: "Scores of online evaluations are missing.",
  },
  events: {
    late: "Event destinations and alerts are notified late.",
    lost: "Event destinations and alerts miss events.",
  },
  executions: {
    late: "Executions in the background start late.",
    lost: "Executions in the background did not run.",
  },
  experiments: {
    late: "Experiments make no progress.",
    lost: "Experiments stopped before their end.",
  },
  housekeeping: {
    late: "Data of deleted resources is removed late.",
    lost: "Data of deleted resources is still stored.",
  },
  mails: {
    late: "Alert mails arrive late.",
    lost: "Alert mails were not sent.",
  },
  registrations: {
    late: "New webhooks receive nothing from their provider yet.",
    lost: "Webhooks are not registered at their provider.",
  },
  schedules: {
    late: "Scheduled runs start late.",
    lost: "Scheduled runs did not start.",
  },
  subscribers: {
    late: "Some subscribers of a webhook are notified late.",
    lost: "Some subscribers of a webhook missed a delivery.",
  },
  syncs: {
    late: "Knowledge is older than its sources.",
    lost: "Knowledge is older than its sources until the next synchronization.",
  },
};

const longestWaitSeconds = 15 * 60;
/**
 * A tenant with a full queue of long executions defers its own work for half an hour, and a lease of a crashed function
 * for 15 minutes.
 */
const longestDeferralSeconds = 60 * 60;

/** Alarms on work that failed five times. */
export const deadLetters = (prefix: string): AlarmSection => ({
  heading: "Dead letters",
  about:
    "Accepted work failed five times and waits in the dead-letter queue, where SQS keeps it for 14 days.",
  alarms: queueNames.map((queue) => ({
    id: `DeadLetters${constructId(queue)}`,
    what: `messages in the dead-letter queue of \`${queue}\``,
    watch: {
      kind: "sum",
      metrics: [
        queueMetric(deadLetterQueueName(prefix, queue), "ApproximateNumberOfMessagesVisible"),
      ],
    },
    threshold: 1,
    users: effects[queue].lost,
  })),
  steps: [
    findWorkerErrors(prefix),
    rollBack,
    {
      text: "After the cause is removed, return the messages to their queue. QUEUE is the queue in the row of the alarm. The command can be repeated.",
      command: "npm run redrive -- --queue QUEUE --deployed",
    },
  ],
});

/** Alarms on work that waits. */
export const waitingWork = (prefix: string, { workers }: Product): AlarmSection => ({
  heading: "Work waits",
  about:
    "The age of a message includes its processing, so the limit is a quarter of an hour more than the timeout of the consumer. A deferral sends a new message with a new age, so deferred work has an alarm of its own, which measures from the first sending.",
  alarms: [
    ...queueNames.map((queue) => {
      const seconds = workers
        .filter((worker) => worker.queue === queue)
        .map(({ timeoutSeconds }) => timeoutSeconds);
      return {
        id: `Age${constructId(queue)}`,
        what: `age of the oldest message of \`${queue}\``,
        watch: {
          kind: "sum" as const,
          metrics: [queueMetric(queueName(prefix, queue), "ApproximateAgeOfOldestMessage")],
        },
        threshold: longestWaitSeconds + Math.max(0, ...seconds),
        unit: "s" as const,
        users: effects[queue].late,
      };
    }),
    {
      id: "AgeDeferred",
      what: "age of deferred work since it was first sent",
      watch: { kind: "sum", metrics: [productMetric(prefix, "DeferredWorkAge", "Maximum")] },
      threshold: longestDeferralSeconds,
      unit: "s",
      users: "Work of one tenant has waited for an hour for a free slot or a lease.",
    },
  ],
  steps: [
    { text: "See how much waits, and whether it grows.", graph: "Messages that wait" },
    {
      text: "If functions crash, continue with [Consumers and jobs crash](#consumers-and-jobs-crash); if they are throttled, with [Capacity is used up](#capacity-is-used-up).",
      graph: "Crashes by function",
    },
    findWorkerErrors(prefix),
    {
      text: "For deferred work, list what is deferred: `group` is the tenant or organization, `message` names the operation.",
      command: `aws logs tail ${logGroupName(prefix, "Workers")} --since 1h --filter-pattern '{ $.ageSeconds >= ${longestDeferralSeconds} }'`,
    },
    {
      text: "A tenant that uses all of its slots delays only its own work. If its share is too small, set `TENANT_CONCURRENCY` higher ([deploying.md](deploying.md#concurrency)) and deploy.",
      command: "npm run deploy",
    },
  ],
});

/** Alarms on consumers and jobs that crash, or that Lambda stops. */
export const brokenWorkers = (prefix: string, { workers, schedules }: Product): AlarmSection => {
  const total = (members: readonly FunctionRecord[], metric: string) => ({
    kind: "sum" as const,
    metrics: members.map(({ name }) => functionMetric(prefix, name, metric, "Sum")),
  });
  return {
    heading: "Consumers and jobs crash",
    about:
      "A message of a crashed consumer is delivered again, at most five times. A job that crashed runs again at its next time.",
    alarms: [
      ...inGroups(workers, mostMetrics).map(({ suffix, members }) => ({
        id: `ConsumerCrashes${suffix}`,
        what: `crashes and timeouts of consumers: ${listNames(members)}`,
        watch: total(members, "Errors"),
        threshold: 1,
        users: "Queued work is repeated or late, as its consumer crashed." as const,
      })),
      ...inGroups(schedules, mostMetrics).map(({ suffix, members }) => ({
        id: `JobCrashes${suffix}`,
        what: `crashes and timeouts of jobs: ${listNames(members)}`,
        watch: total(members, "Errors"),
        threshold: 1,
        users:
          "Recovery of executions, renewals of webhooks, refreshes of knowledge or expiry notices are late." as const,
      })),
      ...inGroups(workers, mostMetrics).map(({ suffix, members }) => ({
        id: `LoopsDropped${suffix}`,
        what: `messages dropped by the loop detection of Lambda: ${listNames(members)}`,
        watch: total(members, "RecursiveInvocationsDropped"),
        threshold: 1,
        users:
          "Accepted work was dropped by the loop detection of Lambda, which must be off." as const,
      })),
    ],
    steps: [
      findWorkerErrors(prefix),
      { text: "See which function crashes.", graph: "Crashes by function" },
      rollBack,
      {
        text: "After a dropped message, check that the loop detection of the function is off (`Allow`), and deploy again if it is not.",
        command: `aws lambda get-function-recursion-config --function-name ${prefix}-FUNCTION`,
      },
    ],
  };
};

const listNames = (functions: readonly FunctionRecord[]): string =>
  functions.map(({ name }) => `\`${name}\``).join(", ");

/** Alarms on schedules that start nothing. Their failures reach neither a queue nor its dead letters. */
export const brokenSchedules = (prefix: string): AlarmSection => ({
  heading: "Schedules start nothing",
  about:
    "EventBridge Scheduler sends each scheduled run, and the wake-up of a wait of more than 15 minutes, to the queue `schedules` and repeats a refused one for a day. Recovery continues an execution without a wake-up ten minutes after its time.",
  alarms: [
    {
      id: "SchedulesDropped",
      what: "scheduled runs that were dropped",
      watch: { kind: "sum", metrics: [scheduleMetric(prefix, "InvocationDroppedCount")] },
      threshold: 1,
      users: "Scheduled runs of agents were dropped: their queue accepted none for a day.",
    },
    {
      id: "SchedulesRefused",
      what: "scheduled runs that the queue refused",
      watch: { kind: "sum", metrics: [scheduleMetric(prefix, "TargetErrorCount")] },
      threshold: 1,
      users: "Scheduled runs of agents wait, as their queue does not take them.",
    },
    {
      id: "WakeUpLost",
      what: "waiting executions that recovery continued, because their wake-up did not arrive",
      watch: { kind: "sum", metrics: [productMetric(prefix, "WakeUpLost", "Sum")] },
      threshold: 10,
      users: "Executions that wait continue ten minutes late.",
    },
  ],
  steps: [
    {
      text: "Check that the queue exists and responds.",
      command: `aws sqs get-queue-url --queue-name ${queueName(prefix, "schedules")}`,
    },
    {
      text: "Deploy again, which restores the queue and the role that sends to it. Refused runs are then sent.",
      command: "npm run deploy",
    },
    {
      text: "Dropped runs are not repeated. List the schedules, and start the runs that users need with `wharf run`.",
      command: `aws scheduler list-schedules --group-name ${prefix}`,
    },
  ],
});
