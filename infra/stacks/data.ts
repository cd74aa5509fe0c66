import {
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import { Key } from "aws-cdk-lib/aws-kms";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { CfnVectorBucket } from "aws-cdk-lib/aws-s3vectors";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import {
  CfnOutput,
  Duration,
  RemovalPolicies,
  RemovalPolicy,
  Stack,
  type StackProps,
} from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { retainedPrefix, retentionClasses } from "../../lib/platform/db/retained-prefix.ts";
import {
  deliveriesPrefix,
  executionsPrefix,
  filesPrefix,
  idempotencyPrefix,
  stepsPrefix,
  tableAttributes,
  uploadsPrefix,
} from "../../lib/platform/db/table.ts";
import { type QueueName, queueNames } from "../../lib/platform/queue/queues.ts";
import { acknowledge } from "../constructs/acknowledge.ts";
import type { DataResources } from "../constructs/data-resources.ts";
import { JobSchedules } from "../constructs/job-schedules.ts";
import { QueueWithDeadLetters } from "../constructs/queue-with-dead-letters.ts";
import { UserTokens } from "../constructs/user-tokens.ts";
import type { WorkerRecord } from "../functions/function-records.ts";
import type { Config } from "../settings/config.ts";
import {
  bucketArnExport,
  bucketOutput,
  constructId,
  scheduleGroupOutput,
  sealKeyOutput,
  vectorBucketArnExport,
  vectorBucketOutput,
} from "../settings/names.ts";
import { deriveConsoleUrl } from "../settings/public-url.ts";
import type { TokenIssuer } from "../settings/token-issuer.ts";

/** Retained resources: the table, the bucket, the key of the secrets, the queues and the users. */
export class DataStack extends Stack implements DataResources {
  readonly table: Table;
  readonly bucket: Bucket;
  readonly objectsArn: string;
  readonly bucketArn: string;
  readonly vectorBucketArn: string;
  readonly vectorIndexesArn: string;
  readonly sealKey: Key;
  private readonly queues: ReadonlyMap<QueueName, QueueWithDeadLetters>;
  readonly jobSchedules: JobSchedules;
  readonly tokens: TokenIssuer;
  readonly originSecret: string | undefined;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & {
      config: Config;
      workers: readonly WorkerRecord[];
      /** Deletes all data with the stack. */
      deletable: boolean;
      /** Whether a distribution is in front of the API. */
      isDistributed: boolean;
    },
  ) {
    super(scope, id, { ...props, terminationProtection: !props.deletable });
    const { config, workers, deletable, isDistributed } = props;
    this.table = this.makeTables(config.RESTORED_TABLES ?? [], deletable);
    this.bucket = makeBucket(this, deletable);
    const vectors = new CfnVectorBucket(this, "Vectors", {
      encryptionConfiguration: { sseType: "AES256" },
    });
    vectors.applyRemovalPolicy(RemovalPolicy.RETAIN);
    this.vectorBucketArn = this.exportValue(vectors.attrVectorBucketArn, {
      name: vectorBucketArnExport(config.STACK_PREFIX),
    });
    this.vectorIndexesArn = `${this.vectorBucketArn}/index/*`;
    this.sealKey = new Key(this, "SealKey", {
      description: "Encrypts the secrets in the table",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.bucketArn = this.exportValue(this.bucket.bucketArn, {
      name: bucketArnExport(config.STACK_PREFIX),
    });
    this.objectsArn = `${this.bucketArn}/*`;
    this.queues = makeQueues(this, config.STACK_PREFIX, workers);
    this.jobSchedules = new JobSchedules(this, "JobSchedules", {
      prefix: config.STACK_PREFIX,
      queue: this.queue("schedules"),
    });
    this.tokens = config.OIDC_ISSUER
      ? {
          issuer: config.OIDC_ISSUER,
          audience: config.OIDC_AUDIENCE ?? "",
          jwksUrl: config.OIDC_JWKS_URL,
          organizationClaim: config.OIDC_ORGANIZATION_CLAIM ?? "org_id",
          roleClaim: config.OIDC_ROLE_CLAIM ?? "role",
        }
      : new UserTokens(this, "Users", {
          deletable,
          loginDomainPrefix: config.LOGIN_DOMAIN_PREFIX,
          consoleUrl: deriveConsoleUrl(config),
        });
    this.originSecret = isDistributed ? makeOriginSecret(this) : undefined;
    new CfnOutput(this, "TableName", { value: this.table.tableName });
    new CfnOutput(this, vectorBucketOutput, { value: vectors.attrVectorBucketArn });
    new CfnOutput(this, bucketOutput, { value: this.bucket.bucketName });
    new CfnOutput(this, sealKeyOutput, { value: this.sealKey.keyId });
    new CfnOutput(this, scheduleGroupOutput, { value: this.jobSchedules.groupName });
    if (deletable) RemovalPolicies.of(this).destroy();
  }

  /**
   * Makes the table, and those that were restored in its place, of which the last is used. The others stay, with the
   * exports that stacks of the deployment before import.
   */
  private makeTables(restored: readonly string[], deletable: boolean): Table {
    let used = makeTable(this, "Table", { deletable });
    for (const name of restored) {
      this.exportValue(used.tableName);
      this.exportValue(used.tableArn);
      used = makeTable(this, `Restored-${name}`, { deletable, name });
    }
    return used;
  }

  queue(name: QueueName): QueueWithDeadLetters {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`lib/platform/queue/queues.ts does not name the queue "${name}".`);
    return queue;
  }
}

/** The value is generated by the service, and in no template: CloudFormation replaces the reference. */
const makeOriginSecret = (scope: Construct): string => {
  const secret = new Secret(scope, "OriginSecret", {
    description: "Identifies the distribution to the API",
    removalPolicy: RemovalPolicy.RETAIN,
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  });
  acknowledge(
    secret,
    "SMG4",
    "Distribution and functions get it by a deployment alone; a new one needs a deployment of both.",
  );
  return secret.secretValue.unsafeUnwrap();
};

const makeTable = (
  scope: Construct,
  id: string,
  { deletable, name }: { deletable: boolean; name?: string },
): Table => {
  const { partitionKey, sortKey, timeToLive } = tableAttributes;
  const { index, indexPartitionKey, indexSortKey } = tableAttributes;
  const { recordsIndex, recordsIndexPartitionKey } = tableAttributes;
  const text = (name: string) => ({ name, type: AttributeType.STRING });
  const table = new Table(scope, id, {
    ...(name !== undefined && { tableName: name }),
    partitionKey: text(partitionKey),
    sortKey: text(sortKey),
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: timeToLive,
    deletionProtection: !deletable,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  table.addGlobalSecondaryIndex({
    indexName: index,
    partitionKey: text(indexPartitionKey),
    sortKey: text(indexSortKey),
    projectionType: ProjectionType.KEYS_ONLY,
  });
  table.addGlobalSecondaryIndex({
    indexName: recordsIndex,
    partitionKey: text(recordsIndexPartitionKey),
    sortKey: text(sortKey),
    projectionType: ProjectionType.KEYS_ONLY,
  });
  return table;
};

/** Versions are retained as long as the table can be restored, because its items refer to objects. */
const makeBucket = (scope: Construct, deletable: boolean): Bucket => {
  const bucket = new Bucket(scope, "Bucket", {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    versioned: true,
    // Pages upload files to signed URLs, which are the permission; they read none.
    cors: [
      {
        allowedMethods: [HttpMethods.PUT],
        allowedOrigins: ["*"],
        allowedHeaders: ["content-type"],
        maxAge: Duration.hours(1).toSeconds(),
      },
    ],
    lifecycleRules: [
      {
        abortIncompleteMultipartUploadAfter: Duration.days(1),
        noncurrentVersionExpiration: Duration.days(35),
        expiredObjectDeleteMarker: true,
      },
      { prefix: `${idempotencyPrefix}/`, expiration: Duration.days(2) },
      { prefix: `${stepsPrefix}/`, expiration: Duration.days(2) },
      ...[deliveriesPrefix, executionsPrefix, filesPrefix].flatMap((prefix) =>
        retentionClasses.map((days) => ({
          prefix: `${retainedPrefix(prefix, days)}/`,
          expiration: Duration.days(days + 1),
        })),
      ),
      {
        prefix: `${uploadsPrefix}/`,
        expiration: Duration.days(1),
        noncurrentVersionExpiration: Duration.days(1),
      },
    ],
    removalPolicy: deletable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    autoDeleteObjects: deletable,
  });
  acknowledge(
    bucket,
    "S1",
    "Only the functions' roles reach the bucket, object by object, and each function logs its calls by id; access logs would double the writes.",
  );
  return bucket;
};

const makeQueues = (
  scope: Construct,
  prefix: string,
  workers: readonly WorkerRecord[],
): ReadonlyMap<QueueName, QueueWithDeadLetters> => {
  const make = (queue: QueueName): QueueWithDeadLetters =>
    new QueueWithDeadLetters(scope, constructId(queue), {
      prefix,
      queue,
      consumerTimeoutSeconds: Math.max(
        30,
        ...workers
          .filter((worker) => worker.queue === queue)
          .map((worker) => worker.timeoutSeconds),
      ),
    });
  return new Map(queueNames.map((name) => [name, make(name)]));
};
