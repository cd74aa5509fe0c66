import type { Stage } from "aws-cdk-lib/aws-apigateway";
import { CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { problemRegistry } from "../../lib/platform/http/problem-registry.ts";
import { problemType } from "../../lib/platform/http/public-address.ts";
import { tooManyRequests, type WebAclRules, webAclMetrics, webAclRules } from "./web-acl-rules.ts";

/** Properties of a web ACL; `basePath` is the path of the API's public base URL. */
export type WebAclProps = WebAclRules & { stage: Stage; basePath: string };

/**
 * A web ACL of AWS WAF in front of a stage. It allows what no rule blocks. Samples are off: they would show keys in
 * paths and headers.
 */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { stage, basePath, ...rules }: WebAclProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, "Acl", {
      name: rules.name,
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      visibilityConfig: webAclMetrics(rules.name),
      customResponseBodies: {
        [tooManyRequests]: { contentType: "APPLICATION_JSON", content: problemBody(basePath) },
      },
      rules: webAclRules(rules),
    });
    new CfnWebACLAssociation(this, "Association", {
      resourceArn: stage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}

/** The problem without `requestId`, which the web ACL does not know. */
const problemBody = (basePath: string): string => {
  const { status, title } = problemRegistry["rate-limit-exceeded"];
  return JSON.stringify({
    type: problemType("rate-limit-exceeded", basePath),
    status,
    title,
    detail: "The service receives too many requests. Try again in a minute.",
  });
};
