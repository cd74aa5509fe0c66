import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Aws } from "aws-cdk-lib/core";
import type { Access } from "../../lib/edge/route.ts";
import { tableAttributes } from "../../lib/platform/db/table.ts";
import { queueVariable } from "../../lib/platform/queue/queues.ts";
import { resourceVariables } from "../../lib/platform/runtime/resource-variables.ts";
import type { DataResources } from "./data-resources.ts";

/** Policy statements of a function and the environment variables that name their resources. */
export type Grants = { statements: PolicyStatement[]; environment: Record<string, string> };

const readTable = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"];
const writeTable = [
  ...readTable,
  "dynamodb:PutItem",
  "dynamodb:UpdateItem",
  "dynamodb:DeleteItem",
  "dynamodb:ConditionCheckItem",
  "dynamodb:BatchWriteItem",
  "dynamodb:PartiQLInsert",
];
const readObjects = ["s3:GetObject"];
const writeObjects = [...readObjects, "s3:PutObject", "s3:DeleteObject"];
const objectActions = {
  read: readObjects,
  write: writeObjects,
  put: ["s3:PutObject"],
  purge: ["s3:DeleteObject"],
};

const readVectors = ["s3vectors:QueryVectors", "s3vectors:GetVectors"];
const writeVectors = [
  ...readVectors,
  "s3vectors:CreateIndex",
  "s3vectors:PutVectors",
  "s3vectors:DeleteVectors",
];

const writeSchedules = [
  "scheduler:CreateSchedule",
  "scheduler:UpdateSchedule",
  "scheduler:DeleteSchedule",
];

const allow = (
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Record<string, Record<string, readonly string[]>>,
): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.ALLOW,
    actions: [...actions],
    resources: [...resources],
    ...(conditions && { conditions }),
  });

/** Converts the `access` of a row or consumer to policy statements and environment variables. */
export const grantsFor = (
  access: Access,
  data: DataResources,
  bedrockModels: readonly string[],
): Grants => {
  const grants: Grants = { statements: [], environment: {} };
  if (access.table) {
    const table = data.table.tableArn;
    grants.environment[resourceVariables.table] = data.table.tableName;
    grants.statements.push(
      allow(access.table === "write" ? writeTable : readTable, [table]),
      allow(
        ["dynamodb:Query"],
        [tableAttributes.index, tableAttributes.recordsIndex].map(
          (index) => `${table}/index/${index}`,
        ),
      ),
    );
  }
  if (access.bucket) {
    grants.environment[resourceVariables.bucket] = data.bucket.bucketName;
    grants.statements.push(
      allow(objectActions[access.bucket], [data.objectsArn]),
      ...(access.bucket === "purge" ? [allow(["s3:ListBucket"], [data.bucketArn])] : []),
    );
  }
  if (access.vectors) {
    grants.environment[resourceVariables.vectorBucket] = data.vectorBucketArn;
    grants.statements.push(
      allow(access.vectors === "write" ? writeVectors : readVectors, [data.vectorIndexesArn]),
    );
  }
  for (const name of new Set(access.publishes)) {
    const { queue } = data.queue(name);
    grants.environment[queueVariable(name)] = queue.queueUrl;
    grants.statements.push(allow(["sqs:SendMessage"], [queue.queueArn]));
  }
  if (access.secrets) {
    grants.environment[resourceVariables.sealKey] = data.sealKey.keyId;
    grants.statements.push(
      allow(access.secrets === "seal" ? ["kms:GenerateDataKey", "kms:Decrypt"] : ["kms:Decrypt"], [
        data.sealKey.keyArn,
      ]),
    );
  }
  if (access.schedules) {
    const { groupName, schedulesArn, role, queueArn } = data.jobSchedules;
    grants.environment[resourceVariables.scheduleGroup] = groupName;
    grants.environment[resourceVariables.scheduleRole] = role.roleArn;
    grants.environment[resourceVariables.scheduleQueue] = queueArn;
    grants.statements.push(
      allow(writeSchedules, [schedulesArn]),
      allow(["iam:PassRole"], [role.roleArn], {
        StringEquals: { "iam:PassedToService": ["scheduler.amazonaws.com"] },
      }),
    );
  }
  if (access.models) {
    grants.statements.push(
      ...modelStatements(bedrockModels),
      allow(["bedrock:ApplyGuardrail"], [bedrockGuardrails]),
    );
  }
  return grants;
};

/** The guardrails of Bedrock that a deployment may apply: those of its account. */
export const bedrockGuardrails = `arn:${Aws.PARTITION}:bedrock:*:${Aws.ACCOUNT_ID}:guardrail/*`;
const invokeModel = ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"];
const foundation = (model: string) => `arn:${Aws.PARTITION}:bedrock:*::foundation-model/${model}`;
const profile = (model: string) =>
  `arn:${Aws.PARTITION}:bedrock:*:${Aws.ACCOUNT_ID}:inference-profile/${model}`;
const ownProfile = (model: string) =>
  `arn:${Aws.PARTITION}:bedrock:*:${Aws.ACCOUNT_ID}:application-inference-profile/${model}`;

/** Bedrock resources that may be invoked; `through` restricts them to one inference profile. */
export type ModelGrant = { resources: readonly string[]; through?: string };

/**
 * Returns the resources of the allowed models. An inference profile invokes models of other regions, which its
 * caller needs permission for: only through that profile, unless they are listed themselves.
 */
export const modelGrants = (bedrockModels: readonly string[]): readonly ModelGrant[] => {
  if (bedrockModels.includes("*")) {
    return [{ resources: [foundation("*"), profile("*"), ownProfile("*")] }];
  }
  const direct = bedrockModels.flatMap((entry) =>
    entry.startsWith("arn:") ? [entry] : [foundation(entry), profile(entry)],
  );
  const through = bedrockModels.flatMap((entry): ModelGrant[] => {
    if (entry.startsWith("arn:")) {
      const isProfile = /:(application-)?inference-profile\//.test(entry);
      return isProfile ? [{ resources: [foundation("*")], through: entry }] : [];
    }
    const model = /^(?:us-gov|us|eu|apac|jp|au|ca|sa|global)\.(.+)$/.exec(entry)?.[1];
    return model === undefined ? [] : [{ resources: [foundation(model)], through: profile(entry) }];
  });
  return [{ resources: direct }, ...through];
};

const modelStatements = (bedrockModels: readonly string[]): PolicyStatement[] =>
  modelGrants(bedrockModels).map(({ resources, through }) =>
    allow(
      invokeModel,
      resources,
      through === undefined
        ? undefined
        : { StringLike: { "bedrock:InferenceProfileArn": [through] } },
    ),
  );

/**
 * Returns the grants of functions that authenticate: read any item; update only keys and rate windows, where calls
 * are counted.
 */
export const authenticationGrants = (data: DataResources): Grants => ({
  environment: { [resourceVariables.table]: data.table.tableName },
  statements: [
    allow(["dynamodb:GetItem"], [data.table.tableArn]),
    allow(["dynamodb:UpdateItem"], [data.table.tableArn], {
      "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["KEYHASH#*", "RATE#*"] },
    }),
  ],
});

/** Returns the grants of functions with calls that take slots of their tenant. */
export const slotGrants = (data: DataResources, slots: number): Grants => ({
  environment: { TENANT_CONCURRENCY: String(slots) },
  statements: [
    allow(["dynamodb:UpdateItem"], [data.table.tableArn], {
      "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["SLOTS#*"] },
    }),
  ],
});
