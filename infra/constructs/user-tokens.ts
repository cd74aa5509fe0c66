import {
  AccountRecovery,
  ClientAttributes,
  Mfa,
  StringAttribute,
  UserPool,
  UserPoolClient,
} from "aws-cdk-lib/aws-cognito";
import { CfnOutput, Duration, RemovalPolicy, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";

/**
 * A user pool whose ID tokens are user tokens. Only administrators create users and set their organization and role,
 * which the app client can read but not write.
 */
export class UserTokens extends Construct {
  readonly issuer: string;
  readonly audience: string;
  readonly organizationClaim = "custom:org_id";
  readonly roleClaim = "custom:role";

  constructor(scope: Construct, id: string, { deletable }: { deletable: boolean }) {
    super(scope, id);
    const pool = new UserPool(this, "Pool", {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      customAttributes: {
        org_id: new StringAttribute({ mutable: true, maxLen: 64 }),
        role: new StringAttribute({ mutable: true, maxLen: 32 }),
      },
      passwordPolicy: {
        minLength: 12,
        requireDigits: true,
        requireLowercase: true,
        requireSymbols: true,
        requireUppercase: true,
        tempPasswordValidity: Duration.days(3),
      },
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      deletionProtection: !deletable,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const names = { givenName: true, familyName: true, locale: true, timezone: true };
    const client = new UserPoolClient(this, "Client", {
      userPool: pool,
      generateSecret: false,
      authFlows: { userSrp: true },
      disableOAuth: true,
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      idTokenValidity: Duration.hours(1),
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(30),
      readAttributes: new ClientAttributes()
        .withStandardAttributes({ ...names, email: true, emailVerified: true })
        .withCustomAttributes("org_id", "role"),
      writeAttributes: new ClientAttributes().withStandardAttributes(names),
    });
    client.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const stack = Stack.of(this);
    const { region, urlSuffix } = stack;
    this.issuer = `https://cognito-idp.${region}.${urlSuffix}/${pool.userPoolId}`;
    this.audience = client.userPoolClientId;
    new CfnOutput(stack, "UserPoolId", { value: pool.userPoolId });
    new CfnOutput(stack, "UserPoolClientId", { value: client.userPoolClientId });
    acknowledge(pool, "COG2", "A second factor is optional for users; machines use API keys.");
    acknowledge(
      pool,
      "COG8",
      "Threat protection requires the paid Plus plan; password policy, TOTP and one-hour tokens apply without it.",
    );
  }
}
