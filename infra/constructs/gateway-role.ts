import {
  Effect,
  ManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";

/** Functions per policy: the longest ARNs of 42 fill seven eighths of its 6,144 characters. */
const functionsPerPolicy = 42;

/**
 * The role in which API Gateway invokes exactly these functions, in place of a permission per
 * function. A streamed invocation requires the same action (Lambda API reference,
 * InvokeWithResponseStream). Managed policies have room for more functions than inline ones, and
 * exist before the role.
 */
export class GatewayRole extends Construct {
  readonly roleArn: string;

  constructor(scope: Construct, id: string, functionArns: readonly string[]) {
    super(scope, id);
    const managedPolicies = Array.from(
      { length: Math.ceil(functionArns.length / functionsPerPolicy) },
      (_, at) =>
        new ManagedPolicy(this, `Invoke${at + 1}`, {
          description: "Invokes functions of the API",
          document: new PolicyDocument({
            statements: [
              new PolicyStatement({
                effect: Effect.ALLOW,
                actions: ["lambda:InvokeFunction"],
                resources: functionArns.slice(
                  at * functionsPerPolicy,
                  (at + 1) * functionsPerPolicy,
                ),
              }),
            ],
          }),
        }),
    );
    this.roleArn = new Role(this, "Role", {
      description: "Invokes the functions of the API",
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      managedPolicies,
    }).roleArn;
  }
}
