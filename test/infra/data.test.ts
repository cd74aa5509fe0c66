import { beforeAll, expect, test } from "vitest";
import { product } from "../../infra/functions/product.ts";
import { deadLetterQueueName, queueName } from "../../infra/settings/names.ts";
import { orderedQueues, queueNames } from "../../lib/platform/queue/queues.ts";
import { findLambda, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

/** Types of the data stack that hold no data: policies and the sign-in pages. */
const withoutData = /Policy$|::UserPoolDomain$|::ManagedLoginBranding$/;

test("every resource of the data stack but policies and sign-in pages outlives the stack and its replacement", () => {
  const [data] = stacks.templates;
  const kept = (data?.resources ?? []).filter(({ Type }) => !withoutData.test(Type));
  for (const { id, DeletionPolicy, UpdateReplacePolicy } of kept) {
    expect(DeletionPolicy, id).toMatch(/^Retain(ExceptOnCreate)?$/);
    expect(UpdateReplacePolicy, id).toBe("Retain");
  }
  expect([...new Set(kept.map(({ Type }) => Type))].sort()).toEqual([
    "AWS::Cognito::UserPool",
    "AWS::Cognito::UserPoolClient",
    "AWS::DynamoDB::Table",
    "AWS::IAM::Role",
    "AWS::KMS::Key",
    "AWS::S3::Bucket",
    "AWS::S3Vectors::VectorBucket",
    "AWS::SQS::Queue",
    "AWS::Scheduler::ScheduleGroup",
    "AWS::SecretsManager::Secret",
  ]);
});

test("a first deployment that fails leaves no resource with a fixed name behind", () => {
  const [data] = stacks.templates;
  const named = (data?.resources ?? []).filter(
    ({ Properties }) => "QueueName" in Properties || "Name" in Properties,
  );
  expect(named).toHaveLength(2 * queueNames.length + 1);
  for (const { id, DeletionPolicy } of named)
    expect(DeletionPolicy, id).toBe("RetainExceptOnCreate");
});

test("no other stack has data: only the role for the gateway's logs and the console's files are retained there", () => {
  const others = stacks.templates.slice(1).flatMap(({ resources }) => resources);
  expect(
    others
      .filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith("Retain"))
      .map(({ Type }) => Type),
  ).toEqual(["AWS::IAM::Role", "AWS::ApiGateway::Account", "AWS::S3::Bucket"]);
  expect(others.map(({ Type }) => Type)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^AWS::(DynamoDB|SQS|Cognito|Scheduler)::/)]),
  );
});

test("the key of the secrets outlives its stack and is rotated", () => {
  const [sealKey] = stacks.resources("AWS::KMS::Key").filter(({ id }) => id.startsWith("SealKey"));
  expect(sealKey).toMatchObject({
    DeletionPolicy: "Retain",
    Properties: { EnableKeyRotation: true },
  });
});

test("the table is encrypted, restorable, protected, billed by request and has no stream", () => {
  const [table] = stacks.resources("AWS::DynamoDB::Table");
  expect(table?.Properties).toMatchObject({
    BillingMode: "PAY_PER_REQUEST",
    DeletionProtectionEnabled: true,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    SSESpecification: { SSEEnabled: true },
    TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
    GlobalSecondaryIndexes: ["gsi1", "gsi2"].map((IndexName) => ({
      IndexName,
      Projection: { ProjectionType: "KEYS_ONLY" },
    })),
  });
  expect(table?.Properties).not.toHaveProperty("StreamSpecification");
});

test("the bucket is private and encrypted", () => {
  const [bucket] = stacks.resources("AWS::S3::Bucket");
  expect(bucket?.Properties).toMatchObject({
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    BucketEncryption: expect.anything(),
    VersioningConfiguration: { Status: "Enabled" },
  });
});

test("pages may upload to signed URLs of the bucket, and read nothing", () => {
  const [bucket] = stacks.resources("AWS::S3::Bucket");
  expect(bucket?.Properties.CorsConfiguration).toEqual({
    CorsRules: [
      {
        AllowedMethods: ["PUT"],
        AllowedOrigins: ["*"],
        AllowedHeaders: ["content-type"],
        MaxAge: 3_600,
      },
    ],
  });
});

test("buckets and queues refuse requests without TLS, and what they contain is encrypted", () => {
  const refusesPlain = expect.objectContaining({
    Effect: "Deny",
    Principal: expect.anything(),
    Condition: { Bool: { "aws:SecureTransport": "false" } },
  });
  const policies = (type: string) =>
    stacks.resources(type).map(({ Properties }) => Properties.PolicyDocument);
  const [buckets, queues] = [policies("AWS::S3::BucketPolicy"), policies("AWS::SQS::QueuePolicy")];
  expect(buckets).toHaveLength(stacks.resources("AWS::S3::Bucket").length);
  expect(queues).toHaveLength(2 * queueNames.length);
  for (const policy of [...buckets, ...queues]) {
    expect(policy).toMatchObject({ Statement: expect.arrayContaining([refusesPlain]) });
  }
  for (const { Properties } of stacks.resources("AWS::SQS::Queue")) {
    expect(Properties.SqsManagedSseEnabled).toBe(true);
  }
  const [vectors] = stacks.resources("AWS::S3Vectors::VectorBucket");
  expect(vectors?.Properties.EncryptionConfiguration).toEqual({ SseType: "AES256" });
});

test("only administrators create users, who may use a second factor", () => {
  const [pool] = stacks.resources("AWS::Cognito::UserPool");
  expect(pool?.Properties).toMatchObject({
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    MfaConfiguration: "OPTIONAL",
    EnabledMfas: ["SOFTWARE_TOKEN_MFA"],
    Policies: { PasswordPolicy: { MinimumLength: 12 } },
    DeletionProtection: "ACTIVE",
  });
});

test("users cannot write their own organization or role", () => {
  const [client] = stacks.resources("AWS::Cognito::UserPoolClient");
  const { WriteAttributes, ReadAttributes } = client?.Properties ?? {};
  expect(JSON.stringify(WriteAttributes)).not.toMatch(/custom:|email/);
  expect(ReadAttributes).toEqual(expect.arrayContaining(["custom:org_id", "custom:role"]));
});

test.each(queueNames)(
  "%s has a dead-letter queue, and alarms on it and on waiting messages",
  (name) => {
    const queues = stacks.resources("AWS::SQS::Queue");
    const queue = queues.find(
      ({ Properties }) => Properties.QueueName === queueName("Wharf", name),
    );
    const dead = queues.find(
      ({ Properties }) => Properties.QueueName === deadLetterQueueName("Wharf", name),
    );
    expect(queue?.Properties.RedrivePolicy).toMatchObject({
      deadLetterTargetArn: { "Fn::GetAtt": [dead?.id, "Arn"] },
      maxReceiveCount: orderedQueues.includes(name) ? 1_000 : 5,
    });
    const days = orderedQueues.includes(name) ? 14 : 4;
    expect(queue?.Properties.MessageRetentionPeriod).toBe(days * 24 * 60 * 60);
    expect(dead?.Properties).toMatchObject({ MessageRetentionPeriod: 14 * 24 * 60 * 60 });
    const alarms = JSON.stringify(stacks.resources("AWS::CloudWatch::Alarm"));
    expect(alarms).toContain(`"Value":"${deadLetterQueueName("Wharf", name)}"`);
    expect(alarms).toContain(`"Value":"${queueName("Wharf", name)}"`);
  },
);

test.each(product.workers)(
  "$name has a visibility timeout of six times its function's timeout",
  (worker) => {
    const queue = stacks
      .resources("AWS::SQS::Queue")
      .find(({ Properties }) => Properties.QueueName === queueName("Wharf", worker.queue));
    expect(queue?.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * worker.timeoutSeconds);
  },
);

test("an execution may take a quarter of an hour five times before its message is moved to the dead-letter queue", () => {
  const queue = stacks
    .resources("AWS::SQS::Queue")
    .find(({ Properties }) => Properties.QueueName === "Wharf-executions");
  expect(queue?.Properties).toMatchObject({ VisibilityTimeout: 5_400 });
  expect(queue?.Properties.MessageRetentionPeriod).toBeGreaterThan(5 * 5_400);
});

test("the messages of a conversation keep their order, and those of one do not delay another's", () => {
  const queues = stacks.resources("AWS::SQS::Queue");
  const chats = queues.filter(({ Properties }) => String(Properties.QueueName).includes("-chats"));
  expect(chats).toHaveLength(2);
  for (const { Properties } of chats) {
    expect(Properties).toMatchObject({
      FifoQueue: true,
      DeduplicationScope: "messageGroup",
      FifoThroughputLimit: "perMessageGroupId",
    });
  }
});

test("every consumer reports its failures message by message", () => {
  const mappings = stacks.resources("AWS::Lambda::EventSourceMapping");
  expect(mappings).toHaveLength(product.workers.length);
  for (const { Properties } of mappings) {
    expect(Properties).toMatchObject({
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      ScalingConfig: { MaximumConcurrency: expect.any(Number) },
    });
  }
});

test("every consumer may delay its messages and move them to the dead-letter queue", () => {
  for (const { name, queue } of product.workers) {
    const { environment, statements } = findLambda(stacks, name);
    for (const prefix of ["QUEUE_URL", "DEAD_LETTERS_URL"]) {
      expect(environment).toHaveProperty(`${prefix}_${queue.toUpperCase()}`);
    }
    const sends = statements.filter(({ Action }) => Action.includes("sqs:SendMessage"));
    expect(sends.some(({ Resource }) => Resource.length === 2)).toBe(true);
  }
});
