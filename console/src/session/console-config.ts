/** Content of `/console/config.json`: where users sign in. */
export type ConsoleConfig = {
  issuer: string;
  clientId: string;
  /** The token that the API accepts. */
  bearer: "access_token" | "id_token";
  /** Audience that access tokens are requested for. */
  audience?: string;
  /** Claim with the user's role, in the token. */
  roleClaim: string;
  /** The logout endpoint of Cognito, which does not follow OpenID Connect; absent with other issuers. */
  cognitoLogout?: string;
  /** Slug of the tenant that is opened first. */
  tenant?: string;
};

/** Reads the settings of the console. */
export const readConsoleConfig = async (): Promise<ConsoleConfig> => {
  const response = await fetch("/console/config.json");
  if (!response.ok) throw new Error(`/console/config.json is not available (${response.status}).`);
  return response.json();
};
