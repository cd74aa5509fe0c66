import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { keptResources, readOptions, stepsOf } from "../../infra/destroy.ts";
import { queueNames } from "../../lib/platform/queue/queues.ts";
import { type Synthesized, synthesized, synthesizedAnew } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
}, 60_000);

/** Properties with the physical name of a resource, which is unique in an account and region. */
const nameProperties = [
  "FunctionName",
  "QueueName",
  "RoleName",
  "ManagedPolicyName",
  "TableName",
  "BucketName",
  "LogGroupName",
  "TopicName",
  "AlarmName",
  "AliasName",
  "UserPoolName",
  "Name",
];

const physicalNames = (of: Synthesized): string[] => [
  ...of
    .resources()
    .flatMap(({ Type, Properties }) =>
      nameProperties.flatMap((property) =>
        typeof Properties[property] !== "string" ? [] : [`${Type} ${Properties[property]}`],
      ),
    ),
  ...[...of.text.matchAll(/"Export":(\{"Name":[^}]+\})/g)].map(([, name]) => `export ${name}`),
];

test("consumers are deployed before the API, data before both, alarms last", () => {
  expect(stacks.dependencies("Wharf-Workers")).toContain("Wharf-Data");
  expect(stacks.dependencies("Wharf-Api")).toEqual(
    expect.arrayContaining(["Wharf-Data", "Wharf-Workers"]),
  );
  expect(stacks.dependencies("Wharf-Operations")).toContain("Wharf-Api");
});

test("a second installation in the same account and region has no name of the first", async () => {
  const second = await synthesizedAnew({ settings: { STACK_PREFIX: "Staging" } });
  const first = physicalNames(stacks);
  expect(first.length).toBeGreaterThan(100);
  const shared = physicalNames(second).filter((name) => first.includes(name));
  expect(shared).toEqual([]);
  expect(second.text).not.toContain("Wharf-");
}, 60_000);

describe("npm run destroy", () => {
  test("keeps the data stack and lists its resources", () => {
    const options = readOptions(["--force"], "Wharf");
    expect(stepsOf(options)).toEqual([
      {
        args: [
          "destroy",
          "--exclusively",
          "--force",
          "Wharf-Console",
          "Wharf-Operations",
          "Wharf-Api",
          "Wharf-Workers",
        ],
        deletable: false,
      },
    ]);
    const [data] = stacks.templates;
    const kept = keptResources(JSON.parse(data?.text ?? ""));
    expect(kept.get("AWS::DynamoDB::Table")).toHaveLength(1);
    expect(kept.get("AWS::SQS::Queue")).toHaveLength(2 * queueNames.length);
    expect(kept.get("AWS::SQS::Queue")).toContain("Wharf-executions");
    expect(kept.get("AWS::Scheduler::ScheduleGroup")).toEqual(["Wharf"]);
  });

  test("asks nothing of AWS when data is to be deleted without its confirmation", () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, "../../infra/destroy.ts"), "--delete-data", "--confirm", "Other"],
      { encoding: "utf8" },
    );
    expect(status).toBe(1);
    expect(stderr).toContain("Confirm it with --confirm Wharf.");
  });

  test("deletes data by deploying its stack without retention, then deleting that", async () => {
    const steps = stepsOf(readOptions(["--delete-data", "--confirm", "Wharf"], "Wharf"));
    expect(steps.map(({ args, deletable }) => [args[0], args.at(-1), deletable])).toEqual([
      ["destroy", "Wharf-Workers", false],
      ["deploy", "Wharf-Data", true],
      ["destroy", "Wharf-Data", true],
    ]);
    const deletable = await synthesizedAnew({ deletable: true });
    const [data] = deletable.templates;
    expect(keptResources(JSON.parse(data?.text ?? ""))).toEqual(new Map());
    const protections = ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool"].map((type) => {
      const properties = deletable.resources(type)[0]?.Properties ?? {};
      return properties.DeletionProtectionEnabled ?? properties.DeletionProtection ?? false;
    });
    expect(protections).toEqual([false, "INACTIVE"]);
    expect(deletable.resources("Custom::S3AutoDeleteObjects")).toHaveLength(1);
  }, 60_000);
});
