import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { keptResources, planSteps, readOptions } from "../../infra/commands/destroy.ts";
import { deleteVectorIndexes } from "../../infra/deployed/vector-indexes.ts";
import { groupByArea } from "../../infra/functions/areas.ts";
import { product } from "../../infra/functions/product.ts";
import { queueNames } from "../../lib/platform/queue/queues.ts";
import { listen } from "../harness/listen.ts";
import { type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

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

const areas = [...groupByArea(product.http).keys()].map((area) => `Wharf-${area}`);

test("data is deployed first, then consumers, the functions of the areas, the API, and alarms last", () => {
  expect(stacks.dependencies("Wharf-Workers")).toContain("Wharf-Data");
  for (const area of areas) {
    expect(stacks.dependencies(area)).toEqual(
      expect.arrayContaining(["Wharf-Data", "Wharf-Workers"]),
    );
  }
  expect(stacks.dependencies("Wharf-Api")).toEqual(expect.arrayContaining(areas));
  expect(stacks.dependencies("Wharf-Operations")).toContain("Wharf-Api");
});

test("a second installation in the same account and region has no name of the first", {
  tags: "nightly",
}, async () => {
  const second = await synthesized("secondInstallation");
  const first = physicalNames(stacks);
  expect(first.length).toBeGreaterThan(100);
  const shared = physicalNames(second).filter((name) => first.includes(name));
  expect(shared).toEqual([]);
  expect(second.text).not.toContain("Wharf-");
});

describe("npm run destroy", () => {
  test("keeps the data stack and lists its resources", () => {
    const options = readOptions(["--force"], "Wharf");
    expect(planSteps(options)).toEqual([
      {
        args: [
          "destroy",
          "--exclusively",
          "--force",
          "Wharf-Console",
          "Wharf-Operations",
          "Wharf-Api",
          ...areas,
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

  test("calls nothing of AWS when data is to be deleted without its confirmation", {
    tags: "nightly",
  }, () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        join(import.meta.dirname, "../../infra/commands/destroy.ts"),
        "--delete-data",
        "--confirm",
        "Other",
      ],
      { encoding: "utf8" },
    );
    expect(status).toBe(1);
    expect(stderr).toContain("Confirm it with --confirm Wharf.");
  });

  test("deletes data by deploying its stack without retention, then deleting that", {
    tags: "nightly",
  }, async () => {
    const steps = planSteps(readOptions(["--delete-data", "--confirm", "Wharf"], "Wharf"));
    expect(steps.map(({ deletesVectors }) => deletesVectors ?? false)).toEqual([
      false,
      false,
      true,
    ]);
    expect(steps.map(({ args, deletable }) => [args[0], args.at(-1), deletable])).toEqual([
      ["destroy", "Wharf-Workers", false],
      ["deploy", "Wharf-Data", true],
      ["destroy", "Wharf-Data", true],
    ]);
    const deletable = await synthesized("deletable");
    const [data] = deletable.templates;
    expect(keptResources(JSON.parse(data?.text ?? ""))).toEqual(new Map());
    const protections = ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool"].map((type) => {
      const properties = deletable.resources(type)[0]?.Properties ?? {};
      return properties.DeletionProtectionEnabled ?? properties.DeletionProtection ?? false;
    });
    expect(protections).toEqual([false, "INACTIVE"]);
    expect(deletable.resources("Custom::S3AutoDeleteObjects")).toHaveLength(1);
  });

  test("deletes every index of the vector bucket, because CloudFormation deletes only an empty one", {
    tags: "nightly",
  }, async () => {
    const bucket = "arn:aws:s3vectors:eu-west-1:123456789012:bucket/vectors";
    const indexes = new Set(["a", "b", "c"].map((name) => `${bucket}/index/${name}`));
    const server = createServer(async (request, response) => {
      const body = z.record(z.string(), z.unknown()).parse(await json(request));
      const deletes = request.url === "/DeleteIndex";
      if (deletes) indexes.delete(String(body.indexArn));
      const skip = Number(body.nextToken ?? 0);
      const page = [...indexes].slice(skip, skip + 2).map((indexArn) => ({ indexArn }));
      const more = skip + 2 < indexes.size ? { nextToken: String(skip + 2) } : {};
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(deletes ? {} : { indexes: page, ...more }));
    });
    const { url, close } = await listen(server);
    vi.stubEnv("AWS_ENDPOINT_URL_S3VECTORS", url);
    vi.stubEnv("AWS_REGION", "eu-west-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    await deleteVectorIndexes(bucket);
    vi.unstubAllEnvs();
    await close();
    expect(indexes).toEqual(new Set());
    const [data] = stacks.templates;
    expect(data?.text).toContain('"VectorBucketArn":{"Value":');
  });
});
