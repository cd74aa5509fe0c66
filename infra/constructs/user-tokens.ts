import {
  AccountRecovery,
  CfnManagedLoginBranding,
  ClientAttributes,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  StringAttribute,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  UserPoolDomain,
} from "aws-cdk-lib/aws-cognito";
import { Aws, CfnOutput, Duration, Fn, RemovalPolicy, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledge.ts";

/** Properties of the users of a deployment. */
export type UserTokensProps = {
  /** Whether the pool can be deleted. */
  deletable: boolean;
  /**
   * Prefix of the sign-in page's domain, unique in the region; by default made from the stack's id. The domain holds no
   * data, and is deleted with its stack.
   */
  loginDomainPrefix: string | undefined;
  /** Base URL of the console, with a slash at the end; undefined when there is none yet. */
  consoleUrl: string | undefined;
};

/**
 * Ports of `http://127.0.0.1` to which a command-line sign-in returns: RFC 8252 prefers the address to the name, and Cognito
 * accepts HTTP for both. It compares redirect URLs exactly.
 */
const loopbackPorts = [8976, 8977, 8978];

/**
 * A user pool that issues user tokens as ID tokens, with managed login by authorization code and
 * PKCE. Only administrators create users and set their organization and role, which the app client
 * can read but not write.
 */
export class UserTokens extends Construct {
  readonly issuer: string;
  readonly audience: string;
  readonly loginUrl: string;
  readonly organizationClaim = "custom:org_id";
  readonly roleClaim = "custom:role";

  constructor(
    scope: Construct,
    id: string,
    { deletable, loginDomainPrefix, consoleUrl }: UserTokensProps,
  ) {
    super(scope, id);
    const pool = new UserPool(this, "Pool", {
      // Managed login requires at least this plan.
      featurePlan: FeaturePlan.ESSENTIALS,
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
      // Without other scopes, an ID token has all attributes that the client can read.
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID],
        callbackUrls: [
          ...(consoleUrl === undefined ? [] : [`${consoleUrl}sign-in`]),
          ...loopbackPorts.map((port) => `http://127.0.0.1:${port}/callback`),
        ],
        ...(consoleUrl !== undefined && { logoutUrls: [consoleUrl] }),
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
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
    const login = new UserPoolDomain(this, "Login", {
      userPool: pool,
      cognitoDomain: { domainPrefix: loginDomainPrefix ?? uniquePrefix() },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    // Managed login shows no page for an app client without a style.
    new CfnManagedLoginBranding(this, "Style", {
      userPoolId: pool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    const stack = Stack.of(this);
    const { region, urlSuffix } = stack;
    this.issuer = `https://cognito-idp.${region}.${urlSuffix}/${pool.userPoolId}`;
    this.audience = client.userPoolClientId;
    this.loginUrl = login.baseUrl();
    new CfnOutput(stack, "UserPoolId", { value: pool.userPoolId });
    new CfnOutput(stack, "UserPoolClientId", { value: client.userPoolClientId });
    new CfnOutput(stack, "LoginUrl", { value: this.loginUrl });
    acknowledge(pool, "COG2", "A second factor is optional for users; machines use API keys.");
    acknowledge(
      pool,
      "COG8",
      "Threat protection requires the paid Plus plan; password policy, TOTP and one-hour tokens apply without it.",
    );
  }
}

/** A domain prefix that differs between stacks: `wharf-` and the first part of the stack's UUID. */
const uniquePrefix = (): string => {
  const uuid = Fn.select(2, Fn.split("/", Aws.STACK_ID));
  return `wharf-${Fn.select(0, Fn.split("-", uuid))}`;
};
