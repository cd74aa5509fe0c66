import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { type Code, Code as LambdaCode } from "aws-cdk-lib/aws-lambda";
import { App, Tags, Validations } from "aws-cdk-lib/core";
import { groupByArea } from "../functions/areas.ts";
import { readModelPrices } from "../functions/model-prices.ts";
import { type Product, product as wholeProduct } from "../functions/product.ts";
import { type Config, requireDeployable } from "../settings/config.ts";
import { builtFunctions, stackName } from "../settings/names.ts";
import { derivePublicPath } from "../settings/public-url.ts";
import { ApiStack } from "./api.ts";
import { AreaStack } from "./area.ts";
import { DataStack } from "./data.ts";
import { OperationsStack } from "./operations.ts";
import { WorkersStack } from "./workers.ts";

/** Options of a synthesis. */
export type SynthesizeOptions = {
  /** Output directory of the cloud assembly. */
  outdir: string;
  config: Config;
  /** Checks the stacks with cdk-nag and CloudFormation's rules, which takes seconds; throws for a finding. */
  nag?: boolean;
  /**
   * Synthesizes for the local stack: bundles are used in place, without reading them (they may be built at the same
   * time), and settings for local development are allowed.
   */
  local?: boolean;
  /** Deletes all data with the data stack, which is not protected then. */
  deletable?: boolean;
  /** Directory of a function's bundle, by the function's name. */
  codeDirectory?: (name: string) => string;
  product?: Product;
};

/**
 * Synthesizes the stacks and returns the directory of the cloud assembly. Requires no AWS account: region and account
 * are set by the deployment. Throws a ConfigError for local-only settings and invalid model prices.
 */
export const synthesize = async ({
  outdir,
  config,
  nag = false,
  local = false,
  deletable = false,
  codeDirectory = (name) => resolve(builtFunctions, name),
  product = wholeProduct,
}: SynthesizeOptions): Promise<string> => {
  if (!local) requireDeployable(config);
  readModelPrices(config);
  const app = new App({
    outdir,
    analyticsReporting: false,
    stackTraces: false,
    treeMetadata: !local,
    builtinCloudFormationValidation: nag,
    context: {
      "@aws-cdk/core:suppressTemplateIndentation": true,
      "@aws-cdk/core:validateAgainstDefaultRules": nag,
      "aws:cdk:enable-asset-metadata": true,
      "aws:cdk:enable-path-metadata": !local,
      "aws:cdk:disable-asset-staging": local,
    },
  });
  if (nag) {
    const { AwsSolutionsChecks } = await import("cdk-nag");
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  }
  const codeFor = (name: string): Code => {
    const directory = codeDirectory(name);
    if (!local) return LambdaCode.fromAsset(directory);
    mkdirSync(directory, { recursive: true });
    return LambdaCode.fromAsset(directory, { assetHash: name });
  };
  const prefix = config.STACK_PREFIX;
  const hasConsole = !local && config.CONSOLE_STACK;
  const data = new DataStack(app, stackName(prefix, "Data"), {
    description: "Retained resources: table, bucket, key, queues, user pool",
    deletable,
    isDistributed: hasConsole,
    config,
    workers: product.workers,
  });
  const workers = new WorkersStack(app, stackName(prefix, "Workers"), {
    description: "Queue consumers and scheduled jobs",
    config,
    data,
    codeFor,
    product,
  });
  workers.addStackDependency(data);
  const api = new ApiStack(app, stackName(prefix, "Api"), {
    description: "The API",
    config,
    // The stage is not in the paths of the local stack.
    basePath: local ? "" : derivePublicPath(config),
    originSecret: data.originSecret,
    product,
  });
  for (const [area, functions] of groupByArea(product.http)) {
    const stack = new AreaStack(app, stackName(prefix, area), {
      description: `Functions of the API: ${[...new Set(functions.map(({ group }) => group))].join(", ")}`,
      config,
      data,
      codeFor,
      product,
      functions,
    });
    stack.addStackDependency(data);
    // Consumers come first, so that they understand the messages of the new functions.
    stack.addStackDependency(workers);
    api.addStackDependency(stack);
  }
  const operations = new OperationsStack(app, stackName(prefix, "Operations"), {
    description: "Alarms and dashboard",
    config,
    product,
    table: data.table,
  });
  operations.addStackDependency(api);
  if (hasConsole) {
    const { ConsoleStack } = await import("./console.ts");
    const console = new ConsoleStack(app, stackName(prefix, "Console"), {
      description: "The console: distribution and bucket",
      config,
      tokens: data.tokens,
      originSecret: data.originSecret ?? "",
      restApiId: api.restApiId,
      filesBucketArn: data.bucketArn,
    });
    console.addStackDependency(api);
  }
  Tags.of(app).add("product", "wharf");
  return app.synth().directory;
};
