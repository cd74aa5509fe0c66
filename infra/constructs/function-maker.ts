import type { Code } from "aws-cdk-lib/aws-lambda";
import { Aws } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { Config } from "../config.ts";
import { settingsEnvironment, sourceEnvironment } from "../function-environment.ts";
import type { FunctionRecord } from "../functions.ts";
import { modelPricesFile } from "../model-prices.ts";
import { bucketArnExport, constructId, functionName } from "../names.ts";
import type { DataResources } from "../stacks/data.ts";
import { acknowledge } from "./acknowledge.ts";
import { type Grants, grantsFor, modelGrants } from "./grants.ts";
import { schedulesArnOf } from "./job-schedules.ts";
import { mailGrants } from "./mail-grants.ts";
import { ProductFunction } from "./product-function.ts";

/** What all functions of a deployment share. */
export type FunctionSurroundings = {
  config: Config;
  data: DataResources;
  codeOf: (name: string) => Code;
};

/** Makes the Lambda function of a record: its access, and what `more` adds for the way it is called. */
export const makeFunction = (
  scope: Construct,
  record: FunctionRecord,
  { config, data, codeOf }: FunctionSurroundings,
  more: Grants & { description: string },
): ProductFunction => {
  const own = grantsFor(record.access, data, config.BEDROCK_MODELS);
  const mails = record.access.mails ? mailGrants(config) : noGrants;
  const made = new ProductFunction(scope, constructId(record.name), {
    physicalName: functionName(config.STACK_PREFIX, record.name),
    description: more.description,
    code: codeOf(record.name),
    timeoutSeconds: record.timeoutSeconds,
    environment: {
      POWERTOOLS_SERVICE_NAME: record.name,
      ...settingsEnvironment(config),
      ...(record.access.models &&
        config.MODEL_PRICES !== undefined && { MODEL_PRICES: modelPricesFile }),
      ...(record.access.sources && sourceEnvironment(config)),
      ...more.environment,
      ...own.environment,
      ...mails.environment,
    },
    statements: [...more.statements, ...own.statements, ...mails.statements],
    logRetention: config.LOG_RETENTION_DAYS,
  });
  if (record.access.bucket) {
    acknowledge(
      made,
      `IAM5[Resource::${bucketArnExport(config.STACK_PREFIX)}/*]`,
      "Keys of objects are made at run time: the function may reach the objects of this one bucket.",
    );
  }
  if (record.access.schedules) {
    acknowledge(
      made,
      `IAM5[Resource::${inFindings(schedulesArnOf(config.STACK_PREFIX))}]`,
      "Names of schedules are made at run time: the function may reach the schedules of this one group.",
    );
  }
  if (record.access.models) {
    const resources = modelGrants(config.BEDROCK_MODELS).flatMap((grant) => grant.resources);
    for (const arn of new Set(resources.filter((each) => each.includes("*")))) {
      acknowledge(
        made,
        `IAM5[Resource::${inFindings(arn)}]`,
        "Tenants choose their models at run time: the function may ask those that BEDROCK_MODELS lists (all by default), in any region, and do nothing else there.",
      );
    }
  }
  return made;
};

const noGrants: Grants = { statements: [], environment: {} };

/** Findings write a token as `<AWS::Partition>`. */
const inFindings = (arn: string): string =>
  arn
    .replace(Aws.PARTITION, "<AWS::Partition>")
    .replace(Aws.REGION, "<AWS::Region>")
    .replace(Aws.ACCOUNT_ID, "<AWS::AccountId>");
