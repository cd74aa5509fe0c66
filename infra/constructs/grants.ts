import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Aws } from "aws-cdk-lib/core";
import type { Access } from "../../lib/edge/route.ts";
import { resourceVariables, tableAttributes } from "../../lib/platform/db/table.ts";
import { queueVariable } from "../../lib/platform/queue/queues.ts";
import type { DataResources } from "../stacks/data.ts";

/** What a function may do, and the variables by which it finds what it may do it to. */
export type Grants = { statements: PolicyStatement[]; environment: Record<string, string> };

const readTable = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"];
const writeTable = [
  ...readTable,
  "dynamodb:PutItem",
  "dynamodb:UpdateItem",
  "dynamodb:DeleteItem",
  "dynamodb:ConditionCheckItem",
  "dynamodb:BatchWriteItem",
];
const readObjects = ["s3:GetObject"];
const writeObjects = [...readObjects, "s3:PutObject", "s3:DeleteObject"];

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

/** Becomes policy and environment: what a row's or consumer's `access` says. */
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
      allow(["dynamodb:Query"], [`${table}/index/${tableAttributes.index}`]),
    );
  }
  if (access.bucket) {
    grants.environment[resourceVariables.bucket] = data.bucket.bucketName;
    grants.statements.push(
      allow(access.bucket === "write" ? writeObjects : readObjects, [data.objectsArn]),
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
  if (access.models) grants.statements.push(...modelStatements(bedrockModels));
  return grants;
};

const invokeModel = ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"];
const foundation = (model: string) => `arn:${Aws.PARTITION}:bedrock:*::foundation-model/${model}`;
const profile = (model: string) =>
  `arn:${Aws.PARTITION}:bedrock:*:${Aws.ACCOUNT_ID}:inference-profile/${model}`;
const ownProfile = (model: string) =>
  `arn:${Aws.PARTITION}:bedrock:*:${Aws.ACCOUNT_ID}:application-inference-profile/${model}`;

/** What of Bedrock may be asked, as resources of a policy; `through` names the only profile that it may be asked through. */
export type ModelGrant = { resources: readonly string[]; through?: string };

/**
 * What the allowed models are in policies. An inference profile reaches models of other regions, which its
 * caller must be allowed to ask: through that profile alone, unless they are listed themselves.
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
 * What every function does that asks for credentials: it reads the key and the tenant, and counts the
 * call on the key's own item or in a rate window. It may update no other item.
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
