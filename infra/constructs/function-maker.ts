import type { Code } from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { Aws } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { settingsEnvironment, sourceEnvironment } from "../functions/function-environment.ts";
import type { FunctionRecord } from "../functions/function-records.ts";
import { hasPrices, modelPricesFile } from "../functions/model-prices.ts";
import type { Config } from "../settings/config.ts";
import {
  bucketArnExport,
  constructId,
  functionName,
  vectorBucketArnExport,
} from "../settings/names.ts";
import { acknowledge } from "./acknowledge.ts";
import type { DataResources } from "./data-resources.ts";
import { bedrockGuardrails, type Grants, grantsFor, modelGrants } from "./grants.ts";
import { buildSchedulesArn } from "./job-schedules.ts";
import { mailGrants, mailIdentities } from "./mail-grants.ts";
import { ProductFunction, type ProductFunctionProps } from "./product-function.ts";

/** Inputs that all functions of a deployment share. */
export type FunctionSurroundings = {
  config: Config;
  data: DataResources;
  codeFor: (name: string) => Code;
};

/** Inputs that the functions of a stack share. */
export type StackSurroundings = FunctionSurroundings & { logGroup: ILogGroup };

/** Creates the Lambda function of a record with the grants of its access and those of `more`. */
export const makeFunction = (
  scope: Construct,
  record: FunctionRecord,
  { config, data, codeFor, logGroup }: StackSurroundings,
  more: Grants & { description: string } & Pick<
      ProductFunctionProps,
      "reservedConcurrency" | "recursiveLoop"
    >,
): ProductFunction => {
  const own = grantsFor(record.access, data, config.BEDROCK_MODELS);
  const mails = record.access.mails ? mailGrants(config) : noGrants;
  const fn = new ProductFunction(scope, constructId(record.name), {
    physicalName: functionName(config.STACK_PREFIX, record.name),
    description: more.description,
    code: codeFor(record.name),
    timeoutSeconds: record.timeoutSeconds,
    memoryMegabytes: record.memoryMegabytes,
    environment: {
      POWERTOOLS_SERVICE_NAME: record.name,
      ...settingsEnvironment(config),
      ...(hasPrices(record.access) &&
        config.MODEL_PRICES !== undefined && { MODEL_PRICES: modelPricesFile }),
      ...(record.access.sources && sourceEnvironment(config)),
      ...more.environment,
      ...own.environment,
      ...mails.environment,
    },
    statements: [...more.statements, ...own.statements, ...mails.statements],
    logGroup,
    reservedConcurrency: more.reservedConcurrency,
    recursiveLoop: more.recursiveLoop,
    logLevel: config.LOG_LEVEL,
  });
  if (record.access.bucket) {
    acknowledge(
      fn,
      `IAM5[Resource::${bucketArnExport(config.STACK_PREFIX)}/*]`,
      "Object keys are created at run time: access is limited to this bucket.",
    );
  }
  if (record.access.vectors) {
    acknowledge(
      fn,
      `IAM5[Resource::${vectorBucketArnExport(config.STACK_PREFIX)}/index/*]`,
      "Indexes are created at run time: access is limited to this vector bucket.",
    );
  }
  if (record.access.schedules) {
    acknowledge(
      fn,
      `IAM5[Resource::${inFindings(buildSchedulesArn(config.STACK_PREFIX))}]`,
      "Schedule names are created at run time: access is limited to this group.",
    );
  }
  if (mails.statements.length > 0) {
    acknowledge(
      fn,
      `IAM5[Resource::${inFindings(mailIdentities)}]`,
      "In the sandbox of SES the identities of recipients are authorized, too: the sender is limited by a condition.",
    );
  }
  if (record.access.models) {
    acknowledge(
      fn,
      `IAM5[Resource::${inFindings(bedrockGuardrails)}]`,
      "Tenants choose guardrails at run time: the function may only apply those of this account.",
    );
    const resources = modelGrants(config.BEDROCK_MODELS).flatMap((grant) => grant.resources);
    for (const arn of new Set(resources.filter((resource) => resource.includes("*")))) {
      acknowledge(
        fn,
        `IAM5[Resource::${inFindings(arn)}]`,
        "Tenants choose models at run time: the function may only invoke those in BEDROCK_MODELS (all by default), in any region.",
      );
    }
  }
  return fn;
};

const noGrants: Grants = { statements: [], environment: {} };

/** Replaces tokens as findings spell them, such as `<AWS::Partition>`. */
const inFindings = (arn: string): string =>
  arn
    .replace(Aws.PARTITION, "<AWS::Partition>")
    .replace(Aws.REGION, "<AWS::Region>")
    .replace(Aws.ACCOUNT_ID, "<AWS::AccountId>");
