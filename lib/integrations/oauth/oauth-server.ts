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
  /** Algorithms of client assertions that it takes; null where they are not known. */
  assertionAlgorithms: z.array(z.string()).nullable(),
  /** Whether tokens are bound to a key (RFC 9449). */
  bindsTokens: z.boolean(),
  acceptsMetadataDocument: z.boolean(),
  /** The resource that tokens are for; null for none. */
  resource: z.string().nullable(),
  /** Scopes that the resource asks for. */
  scopes: z.array(z.string()),
  /** Whether its metadata has the scope `offline_access`. */
  offersOfflineAccess: z.boolean().default(false),
});
export type OAuthServer = z.output<typeof OAuthServer>;

/** A client of an authorization server. */
export const OAuthClient = z.object({
  /** Empty for no client: an assertion may need none. */
  id: z.string(),
  secret: z.string().nullable(),
  authentication: z.enum(["basic", "post"]).nullable(),
  /** In place of a secret. */
  privateKey: z.string().nullable(),
  /** Audience of its assertions: the identifier of the issuer, or the endpoint that it calls. */
  audience: z.enum(["issuer", "endpoint"]),
});
export type OAuthClient = z.output<typeof OAuthClient>;

/** A company's identity provider, and the client there. */
export const IdentityProvider = z.object({ server: OAuthServer, client: OAuthClient });
export type IdentityProvider = z.output<typeof IdentityProvider>;

/** A person's sign-in at an identity provider. */
export const SignIn = IdentityProvider.extend({
  idToken: z.string(),
  refreshToken: z.string().nullable(),
});
export type SignIn = z.output<typeof SignIn>;

/** Returns a client without a private key. */
export const toPlainClient = (
  id: string,
  secret: string | null,
  authentication: OAuthClient["authentication"],
): OAuthClient => ({ id, secret, authentication, privateKey: null, audience: "issuer" });

/** No client. */
export const noClient: OAuthClient = toPlainClient("", null, null);
