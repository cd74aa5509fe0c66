import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { QueueName } from "../../lib/platform/queue/queues.ts";
import type { TokenIssuer } from "../settings/token-issuer.ts";
import type { JobSchedules } from "./job-schedules.ts";
import type { QueueWithDeadLetters } from "./queue-with-dead-letters.ts";

/** Resources that functions use. */
export type DataResources = {
  table: Table;
  bucket: Bucket;
  /** ARN pattern of the bucket's objects. */
  objectsArn: string;
  bucketArn: string;
  vectorBucketArn: string;
  /** ARN pattern of the indexes of the vector bucket. */
  vectorIndexesArn: string;
  sealKey: Key;
  jobSchedules: JobSchedules;
  /** Returns a queue by name. */
  queue: (name: QueueName) => QueueWithDeadLetters;
  tokens: TokenIssuer;
  /**
   * Reference to the secret by which the distribution identifies itself to the API, resolved at deployment; undefined
   * without a distribution.
   */
  originSecret: string | undefined;
};
