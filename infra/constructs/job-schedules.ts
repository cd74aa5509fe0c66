import {
  Effect,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import { ScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Aws, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { QueueWithDeadLetters } from "./queue-with-dead-letters.ts";

/** Returns the ARN pattern of the schedules in a group. */
export const buildSchedulesArn = (group: string): string =>
  `arn:${Aws.PARTITION}:scheduler:${Aws.REGION}:${Aws.ACCOUNT_ID}:schedule/${group}/*`;

/**
 * The schedule group of job policies and the role in which EventBridge Scheduler sends to their queue. Both outlive their
 * stack: every schedule contains the ARN of the role.
 */
export class JobSchedules extends Construct {
  readonly groupName: string;
  readonly schedulesArn: string;
  readonly role: Role;
  readonly queueArn: string;

  constructor(
    scope: Construct,
    id: string,
    { prefix, queue: { queue } }: { prefix: string; queue: QueueWithDeadLetters },
  ) {
    super(scope, id);
    this.groupName = prefix;
    this.schedulesArn = buildSchedulesArn(prefix);
    this.queueArn = queue.queueArn;
    const group = new ScheduleGroup(this, "Group", {
      scheduleGroupName: prefix,
      // Deleted only when its creation is rolled back: its name is fixed, so the next attempt would fail.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    this.role = new Role(this, "Role", {
      description: "Fires the schedules of job policies",
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
        conditions: {
          StringEquals: {
            "aws:SourceAccount": Aws.ACCOUNT_ID,
            "aws:SourceArn": group.scheduleGroupArn,
          },
        },
      }),
      inlinePolicies: {
        fire: new PolicyDocument({
          statements: [
            new PolicyStatement({
              effect: Effect.ALLOW,
              actions: ["sqs:SendMessage"],
              resources: [queue.queueArn],
            }),
          ],
        }),
      },
    });
    this.role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  }
}
