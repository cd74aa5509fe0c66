import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Aws } from "aws-cdk-lib/core";
import type { Config } from "../settings/config.ts";
import type { Grants } from "./grants.ts";

/**
 * Returns the grants to send mail only from ALERT_EMAIL_FROM, with the SES identity of the address or of its domain;
 * none without the setting.
 */
export const mailGrants = ({ ALERT_EMAIL_FROM: from }: Config): Grants => {
  if (from === undefined) return { statements: [], environment: {} };
  const domain = from.slice(from.lastIndexOf("@") + 1);
  const identities = `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity`;
  return {
    environment: { ALERT_EMAIL_FROM: from },
    statements: [
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: ["ses:SendEmail"],
        resources: [`${identities}/${from}`, `${identities}/${domain}`],
      }),
    ],
  };
};
