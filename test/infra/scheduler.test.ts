import { beforeAll, expect, test } from "vitest";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { findLambda, parseStatements, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

const schedulerRoles = () =>
  stacks
    .resources("AWS::IAM::Role")
    .filter(({ Properties }) =>
      JSON.stringify(Properties.AssumeRolePolicyDocument).includes("scheduler.amazonaws.com"),
    );

test("the deployment has one group of schedules with its name", () => {
  const groups = stacks.resources("AWS::Scheduler::ScheduleGroup");
  expect(groups.map(({ Properties }) => Properties.Name)).toEqual(["Wharf"]);
});

test("the scheduler may take on its role for this account's schedules of this group alone", () => {
  expect(schedulerRoles()).toHaveLength(1);
  const [group] = stacks.resources("AWS::Scheduler::ScheduleGroup");
  expect(schedulerRoles()[0]?.Properties.AssumeRolePolicyDocument).toMatchObject({
    Statement: [
      {
        Action: "sts:AssumeRole",
        Principal: { Service: "scheduler.amazonaws.com" },
        Condition: {
          StringEquals: {
            "aws:SourceAccount": { Ref: "AWS::AccountId" },
            "aws:SourceArn": { "Fn::GetAtt": [group?.id, "Arn"] },
          },
        },
      },
    ],
  });
});

test("the role may send to the queue for schedules, and nothing else", () => {
  const queue = stacks
    .resources("AWS::SQS::Queue")
    .find(({ Properties }) => Properties.QueueName === "Wharf-schedules");
  const statements = schedulerRoles().flatMap(parseStatements);
  expect(statements).toEqual([
    {
      Effect: "Allow",
      Action: ["sqs:SendMessage"],
      Resource: [{ "Fn::GetAtt": [queue?.id, "Arn"] }],
    },
  ]);
});

test.each(everyFunction(product))(
  "$name creates schedules, and passes the scheduler's role, only if its row declares it",
  ({ name, access }) => {
    const { statements, environment } = findLambda(stacks, name);
    const about = (service: string) =>
      statements.filter(({ Action }) => Action.some((action) => action.startsWith(service)));
    if (!access.schedules) {
      expect([...about("scheduler:"), ...about("iam:")]).toEqual([]);
      expect(Object.keys(environment).join()).not.toContain("SCHEDULE_");
      return;
    }
    expect(about("scheduler:")).toHaveLength(1);
    expect(JSON.stringify(about("scheduler:")[0]?.Resource)).toContain(":schedule/Wharf/*");
    expect(about("iam:")).toMatchObject([
      {
        Action: ["iam:PassRole"],
        Condition: { StringEquals: { "iam:PassedToService": ["scheduler.amazonaws.com"] } },
      },
    ]);
    expect(about("iam:")[0]?.Resource).toHaveLength(1);
    expect(environment).toMatchObject({ SCHEDULE_GROUP: "Wharf" });
    expect(Object.keys(environment)).toEqual(
      expect.arrayContaining(["SCHEDULE_ROLE_ARN", "SCHEDULE_QUEUE_ARN"]),
    );
  },
);
