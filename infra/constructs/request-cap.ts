import type { Stage } from "aws-cdk-lib/aws-apigateway";
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";

/** Seconds in which a web ACL counts requests; it estimates the rate several times in them. */
const windowSeconds = 60;

const metrics = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/**
 * A web ACL that limits the requests of all callers together, which no setting of API Gateway does: it throttles each
 * method of a stage on its own. A rule that counts all requests as one requires a condition, which every path meets.
 */
export class RequestCap extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, limit, name }: { stage: Stage; limit: number; name: string },
  ) {
    super(scope, id);
    const everyPath: CfnWebACL.StatementProperty = {
      byteMatchStatement: {
        fieldToMatch: { uriPath: {} },
        positionalConstraint: "STARTS_WITH",
        searchString: "/",
        textTransformations: [{ priority: 0, type: "NONE" }],
      },
    };
    const acl = new CfnWebACL(this, "Acl", {
      name,
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      visibilityConfig: metrics(name),
      rules: [
        {
          name: "requests-of-all-callers",
          priority: 0,
          statement: {
            rateBasedStatement: {
              aggregateKeyType: "CONSTANT",
              evaluationWindowSec: windowSeconds,
              limit,
              scopeDownStatement: everyPath,
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                responseHeaders: [{ name: "Retry-After", value: String(windowSeconds) }],
              },
            },
          },
          visibilityConfig: metrics(`${name}-requests-of-all-callers`),
        },
      ],
    });
    new CfnWebACLAssociation(this, "Association", {
      resourceArn: stage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}
