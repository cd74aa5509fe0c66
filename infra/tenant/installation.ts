import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as kms from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { S3VectorsClient } from "@aws-sdk/client-s3vectors";
import { SchedulerClient } from "@aws-sdk/client-scheduler";
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { connect, type Database } from "../../lib/platform/db/database.ts";
import { createSealer, type Sealer } from "../../lib/platform/db/seal.ts";
import type { QueueName } from "../../lib/platform/queue/queues.ts";
import { readStackOutputs } from "../deployed/stack-outputs.ts";
import type { OperatorJson } from "../local/operator-environment.ts";
import { readAssembly } from "../local/template/assembly.ts";
import { readModel } from "../local/template/model.ts";
import { localAccount, localRegion } from "../local/template/physical.ts";
import {
  bucketOutput,
  queueName,
  scheduleGroupOutput,
  sealKeyOutput,
  stackName,
  vectorBucketOutput,
} from "../settings/names.ts";
import { CommandError } from "../shell/command.ts";

/** The data of an installation, with an operator's access to it. */
export type Installation = {
  readonly dynamodb: DynamoDBClient;
  readonly db: Database;
  readonly table: string;
  readonly s3: S3Client;
  readonly bucket: string;
  readonly vectors: S3VectorsClient;
  readonly vectorBucketArn: string;
  readonly sealer: Sealer;
  readonly scheduler: SchedulerClient;
  readonly scheduleGroup: string;
  /** Sends a message to a queue. */
  readonly send: (queue: QueueName, group: string, message: unknown) => Promise<void>;
};

type Names = Pick<Installation, "table" | "bucket" | "vectorBucketArn" | "scheduleGroup"> & {
  sealKey: string;
  prefix: string;
};

type ClientConfig = {
  region?: string;
  credentials?: OperatorJson["credentials"];
  endpoint?: string;
};

/** Commands are patient: a throttled call is repeated for a minute. */
const maxAttempts = 12;

const connectAll = (
  names: Names,
  config: ClientConfig,
  dynamodbEndpoint: string | undefined,
): Installation => {
  const options = { ...config, maxAttempts };
  const tableOptions = {
    ...options,
    ...(dynamodbEndpoint !== undefined && { endpoint: dynamodbEndpoint }),
  };
  const sqs = new SQSClient({ ...options, useQueueUrlAsEndpoint: config.endpoint === undefined });
  const kmsClient = new kms.KMSClient(options);
  const send: Installation["send"] = async (queue, group, message) => {
    const { QueueUrl } = await sqs.send(
      new GetQueueUrlCommand({
        QueueName: queueName(names.prefix, queue),
      }),
    );
    const MessageBody = JSON.stringify(message);
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: group }));
  };
  return {
    ...names,
    dynamodb: new DynamoDBClient(tableOptions),
    db: connect(names.table, new DynamoDBClient(tableOptions)),
    s3: new S3Client({ ...options, forcePathStyle: config.endpoint !== undefined }),
    vectors: new S3VectorsClient(options),
    sealer: createSealer(
      async () => ({ sdk: kms, client: kmsClient }),
      () => names.sealKey,
    ),
    scheduler: new SchedulerClient(options),
    send,
  };
};

/** Connects to the deployed stacks of a prefix. Throws a CommandError when they do not exist. */
export const openDeployed = async (prefix: string): Promise<Installation> => {
  const stack = stackName(prefix, "Data");
  const outputs = await readStackOutputs(stack);
  const read = (output: string): string => {
    const value = outputs?.get(output);
    if (value !== undefined) return value;
    throw new CommandError(
      `The stack ${stack} does not exist or has no output ${output}. Run npm run deploy, and check STACK_PREFIX, region and account; --local works on the local stack.`,
    );
  };
  const names = {
    prefix,
    table: read("TableName"),
    bucket: read(bucketOutput),
    vectorBucketArn: read(vectorBucketOutput),
    sealKey: read(sealKeyOutput),
    scheduleGroup: read(scheduleGroupOutput),
  };
  return connectAll(names, {}, undefined);
};

/** Connects to a running local stack. */
export const openLocal = (
  stack: Pick<OperatorJson, "assembly" | "services" | "dynamodbEndpoint" | "credentials" | "table">,
  prefix: string,
): Installation => {
  const { buckets, vectorBuckets, keys, scheduler } = readModel(
    readAssembly(stack.assembly),
    stack.services,
  );
  const names = {
    prefix,
    table: stack.table,
    bucket: buckets[0] ?? "",
    vectorBucketArn: `arn:aws:s3vectors:${localRegion}:${localAccount}:bucket/${vectorBuckets[0]}`,
    sealKey: keys[0]?.id ?? "",
    scheduleGroup: scheduler.groups[0] ?? "",
  };
  const { credentials, services: endpoint, dynamodbEndpoint } = stack;
  return connectAll(names, { region: localRegion, credentials, endpoint }, dynamodbEndpoint);
};
