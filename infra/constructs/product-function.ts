import {
  Effect,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import { Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { Construct } from "constructs";

/** Properties of a function. */
export type ProductFunctionProps = {
  physicalName: string;
  description: string;
  code: Code;
  timeoutSeconds: number;
  environment: Readonly<Record<string, string>>;
  statements: readonly PolicyStatement[];
  logRetention: RetentionDays;
};

/**
 * A bundled Lambda function with its own log group and a role limited to its statements and its log. The policy is
 * inline, so it exists before the function runs.
 */
export class ProductFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: ProductFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, "Logs", {
      logGroupName: `/aws/lambda/${props.physicalName}`,
      retention: props.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const writeLog = new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [logGroup.logGroupArn],
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
      memorySize: memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: { ...props.environment },
      role,
      logGroup,
    });
  }
}

/**
 * Lambda gives CPU by memory: 1,769 MB is one vCPU. A function here waits for storage most of the time
 * and needs CPU at its cold start and for TLS; 512 MB would double that time at the same price for
 * what is CPU, and 1,769 MB would pay for waiting.
 */
const memoryMegabytes = 1024;
