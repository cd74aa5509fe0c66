import * as z from "zod";

/** An authorization server, as far as a connection needs it; stored with its tokens. */
export const OAuthServer = z.object({
  /** Null where neither the config nor metadata names it. */
  issuer: z.string().nullable(),
  authorizationEndpoint: z.string().nullable(),
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().nullable(),
  registrationEndpoint: z.string().nullable(),
  /** Whether its authorization responses have `iss` (RFC 9207). */
  sendsIssuer: z.boolean(),
  /** Client authentications of its token endpoint; null where they are not known. */
  clientAuthentications: z.array(z.string()).nullable(),
  acceptsMetadataDocument: z.boolean(),
  /** The resource that tokens are for; null for none. */
  resource: z.string().nullable(),
  /** Scopes that the resource asks for. */
  scopes: z.array(z.string()),
});
export type OAuthServer = z.output<typeof OAuthServer>;

/** A client of an authorization server. */
export const OAuthClient = z.object({
  id: z.string(),
  secret: z.string().nullable(),
  authentication: z.enum(["basic", "post"]).nullable(),
});
export type OAuthClient = z.output<typeof OAuthClient>;
