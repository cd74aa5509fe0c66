import {
  Effect,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import {
  ApplicationLogLevel,
  Architecture,
  CfnFunction,
  type Code,
  Function as LambdaFunction,
  LoggingFormat,
  type RecursiveLoop,
  Runtime,
  SystemLogLevel,
} from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { Config } from "../settings/config.ts";

/** Properties of a function. */
export type ProductFunctionProps = {
  physicalName: string;
  description: string;
  code: Code;
  timeoutSeconds: number;
  memoryMegabytes?: number | undefined;
  environment: Readonly<Record<string, string>>;
  statements: readonly PolicyStatement[];
  /** The log group of the stack. */
  logGroup: ILogGroup;
  reservedConcurrency?: number | undefined;
  recursiveLoop?: RecursiveLoop | undefined;
  logLevel: Config["LOG_LEVEL"];
};

/**
 * A bundled Lambda function with a role limited to its statements and the stack's log group. The policy is inline, so it
 * exists before the function runs. The names of log streams contain the function's.
 */
export class ProductFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: ProductFunctionProps) {
    super(scope, id);
    const writeLog = new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [props.logGroup.logGroupArn],
    });
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      inlinePolicies: {
        access: new PolicyDocument({ statements: [writeLog, ...props.statements] }),
      },
    });
    this.lambda = new LambdaFunction(this, "Function", {
      functionName: props.physicalName,
      description: props.description,
      code: props.code,
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes ?? defaultMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: { ...props.environment },
      role,
      logGroup: props.logGroup,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      ...(props.recursiveLoop !== undefined && { recursiveLoop: props.recursiveLoop }),
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: applicationLevels[props.logLevel],
      // Without the start, end and report of each call, which the product's own line has.
      systemLogLevelV2: SystemLogLevel.WARN,
    });
    // Otherwise the SAM CLI takes the last part of the construct's path, which all functions share.
    const resource = this.lambda.node.defaultChild;
    if (resource instanceof CfnFunction) resource.addMetadata("SamResourceId", id);
  }
}

const applicationLevels: Readonly<Record<Config["LOG_LEVEL"], ApplicationLogLevel>> = {
  debug: ApplicationLogLevel.DEBUG,
  info: ApplicationLogLevel.INFO,
  warn: ApplicationLogLevel.WARN,
  error: ApplicationLogLevel.ERROR,
};

/**
 * Lambda gives CPU by memory: 1,769 MB is one vCPU. A function here waits for storage most of the time
 * and needs CPU at its cold start and for TLS; 512 MB would double that time at the same price for
 * what is CPU, and 1,769 MB would pay for waiting.
 */
const defaultMegabytes = 1024;
