import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  type AttributeType,
  CognitoIdentityProviderClient,
  UserNotFoundException,
} from "@aws-sdk/client-cognito-identity-provider";
import { CommandError } from "../shell/command.ts";

/** The first user of an organization; `role` is the name of a preset. */
export type FirstUser = { email: string; organizationId: string; role: string };

/** A user as its issuer knows it: the `sub` of its tokens, and a sentence on what happened. */
export type KnownUser = { subject: string; outcome: string };

/** Ensures that a user exists at the issuer of user tokens. */
export type UserDirectory = (user: FirstUser) => Promise<KnownUser>;

/** Claims of the deployment's issuer. */
export type Claims = { organization: string; role: string };

/**
 * Invites users to a Cognito user pool by mail; an existing user is unchanged. Throws a CommandError for a user of
 * another organization.
 * @param invitesAgain whether a user who has not signed in yet gets another invitation
 */
export const cognitoUsers =
  (poolId: string, invitesAgain: boolean): UserDirectory =>
  async (user) => {
    const client = new CognitoIdentityProviderClient({});
    const invite = async (again: boolean): Promise<KnownUser> => {
      const { User } = await client.send(
        new AdminCreateUserCommand({
          UserPoolId: poolId,
          Username: user.email,
          DesiredDeliveryMediums: ["EMAIL"],
          ...(again ? { MessageAction: "RESEND" } : { UserAttributes: toUserAttributes(user) }),
        }),
      );
      const outcome = "invited by mail with a temporary password, which is valid for three days";
      return { subject: findAttribute(User?.Attributes, "sub"), outcome };
    };
    try {
      const found = await client.send(
        new AdminGetUserCommand({ UserPoolId: poolId, Username: user.email }),
      );
      const organizationId = findAttribute(found.UserAttributes, "custom:org_id");
      if (organizationId !== user.organizationId) {
        throw new CommandError(
          `${user.email} belongs to the organization "${organizationId}". Choose another address, or change the user's custom:org_id in the pool ${poolId}.`,
        );
      }
      const hasNotSignedIn = found.UserStatus === "FORCE_CHANGE_PASSWORD";
      if (hasNotSignedIn && invitesAgain) return await invite(true);
      return {
        subject: findAttribute(found.UserAttributes, "sub"),
        outcome: hasNotSignedIn
          ? "exists, but has not signed in yet; --invite-again sends another invitation"
          : "exists",
      };
    } catch (error) {
      if (!(error instanceof UserNotFoundException)) throw error;
      return await invite(false);
    } finally {
      client.destroy();
    }
  };

const toUserAttributes = ({ email, organizationId, role }: FirstUser): AttributeType[] => [
  { Name: "email", Value: email },
  { Name: "email_verified", Value: "true" },
  { Name: "custom:org_id", Value: organizationId },
  { Name: "custom:role", Value: role },
];

const findAttribute = (attributes: readonly AttributeType[] | undefined, name: string): string =>
  attributes?.find((attribute) => attribute.Name === name)?.Value ?? "";

/** Explains which claims the users of another issuer need; nothing is created. */
export const issuerUsers =
  (claims: Claims, subject: string | undefined): UserDirectory =>
  async ({ email, organizationId, role }) => ({
    subject: subject ?? email,
    outcome: `comes from your issuer. Its tokens need ${claims.organization}=${organizationId} and ${claims.role}=${role}`,
  });

/** Explains how to get a token of the local issuer. Its `sub` is the address. */
export const localUsers: UserDirectory = async ({ email, organizationId, role }) => ({
  subject: email,
  outcome: `gets a token with: npm run --silent token -- --org ${organizationId} --user ${email} --role ${role}`,
});
