import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Aws } from "aws-cdk-lib/core";
import type { Config } from "../settings/config.ts";
import type { Grants } from "./grants.ts";

/** Identities of the account: in the sandbox, SES authorizes that of the recipient, too. */
export const mailIdentities = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/*`;

/** Returns the grants to send mail only from ALERT_EMAIL_FROM; none without the setting. */
export const mailGrants = ({ ALERT_EMAIL_FROM: from }: Config): Grants => {
  if (from === undefined) return { statements: [], environment: {} };
  return {
    environment: { ALERT_EMAIL_FROM: from },
    statements: [
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: ["ses:SendEmail"],
        resources: [mailIdentities],
        conditions: { StringEquals: { "ses:FromAddress": from } },
      }),
    ],
  };
};
