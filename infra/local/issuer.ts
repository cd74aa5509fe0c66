import { existsSync, readFileSync } from "node:fs";
import { exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { createPrivateFile } from "./private-file.ts";
import { StopError } from "./stop-error.ts";

/** Issuer of local user tokens. */
export const localIssuer = "https://local.wharf.invalid";

/** Audience of local user tokens. */
export const localAudience = "wharf";

const algorithm = "ES256";
const keyId = "local";

const PrivateKey = z.object({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});

/** The local issuer's key pair, as a JWK. */
export type IssuerKey = z.output<typeof PrivateKey>;

/**
 * Reads the issuer's key pair; creates the file (mode 0600) when it does not exist. Throws a StopError for a damaged file.
 */
export const loadIssuerKey = async (file: string): Promise<IssuerKey> => {
  if (!existsSync(file)) {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    createPrivateFile(file, JSON.stringify(PrivateKey.parse(await exportJWK(privateKey))));
  }
  try {
    return PrivateKey.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new StopError(
      `${file} is damaged: it has no key of the local issuer. Restore it from a backup, or delete it: the next start creates a new key, and user tokens signed with the old one are refused.`,
    );
  }
};

/** Returns the public key as a JWKS. */
export const toJwks = ({ kty, crv, x, y }: IssuerKey) => ({
  keys: [{ kty, crv, x, y, kid: keyId, alg: algorithm, use: "sig" }],
});

/** Claims and lifetime of a user token. */
export type UserTokenClaims = {
  org: string;
  /** Name of a preset, such as `builder`. */
  role: string;
  /** An e-mail address. */
  user: string;
  /** Default: the user, without `email_verified`. */
  email?: { address: string; isVerified: boolean } | undefined;
  /** The URL that it is for alone, and the scopes that it has there; default: the API, with all of its role. */
  audience?: { resource: string; scope: string } | undefined;
  ttlSeconds: number;
};

/** Creates a user token of the local issuer. */
export const mintUserToken = async (
  key: IssuerKey,
  { org, role, user, email, audience, ttlSeconds }: UserTokenClaims,
): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  const address = email
    ? { email: email.address, email_verified: email.isVerified }
    : { email: user };
  return new SignJWT({ ...address, org_id: org, role, ...(audience && { scope: audience.scope }) })
    .setProtectedHeader({ alg: algorithm, kid: keyId, typ: "JWT" })
    .setIssuer(localIssuer)
    .setAudience(audience?.resource ?? localAudience)
    .setSubject(user)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + ttlSeconds)
    .sign(await importJWK(key, algorithm));
};

/** Claims of an ID token, which only its client reads. */
export type IdTokenClaims = Pick<UserTokenClaims, "user"> & {
  /** Origin at which the user signed in. */
  issuer: string;
  clientId: string;
  nonce: string | undefined;
  session: string;
  ttlSeconds: number;
};

/** Creates an ID token (OpenID Connect Core, 2). */
export const mintIdToken = async (
  key: IssuerKey,
  { issuer, clientId, user, nonce, session, ttlSeconds }: IdTokenClaims,
): Promise<string> => {
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ email: user, sid: session, ...(nonce !== undefined && { nonce }) })
    .setProtectedHeader({ alg: algorithm, kid: keyId, typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject(user)
    .setIssuedAt(now)
    .setExpirationTime(now + ttlSeconds)
    .sign(await importJWK(key, algorithm));
};

/** Returns the session of an ID token, which may have expired; undefined if this issuer did not sign it. */
export const readIdTokenSession = async (
  key: IssuerKey,
  token: string,
): Promise<string | undefined> => {
  const { kty, crv, x, y } = key;
  const publicKey = await importJWK({ kty, crv, x, y }, algorithm);
  try {
    const currentDate = new Date(0);
    const { payload } = await jwtVerify(token, publicKey, { algorithms: [algorithm], currentDate });
    return z.string().safeParse(payload.sid).data;
  } catch {
    return undefined;
  }
};
