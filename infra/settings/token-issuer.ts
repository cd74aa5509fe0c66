/** Issuer of user tokens. */
export type TokenIssuer = {
  issuer: string;
  audience: string;
  jwksUrl?: string | undefined;
  /** Base URL of the sign-in pages, where they are on another origin than the issuer. */
  loginUrl?: string | undefined;
  organizationClaim: string;
  roleClaim: string;
};
