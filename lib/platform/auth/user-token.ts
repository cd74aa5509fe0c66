import { errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as z from "zod";
import { credentialsExpired, serviceUnavailable, unauthenticated } from "../http/problems.ts";
import type { TokenSettings } from "../runtime/env.ts";
import { isTokenFault } from "./is-token-fault.ts";
import { lowerAddress } from "./mail-address.ts";
import type { Principal } from "./principal.ts";
import { findPreset, type ScopeName } from "./scopes.ts";

/** Only keys that the issuer alone holds: a shared secret or `none` never verifies. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

const OrganizationId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._|:-]{0,127}$/);
const UserId = z.string().min(1).max(255);

/**
 * A resource that user tokens are issued for: its URL, other audiences that it accepts, and the scope that a user who may run
 * agents has there.
 */
export type TokenResource = { url: string; otherAudiences: readonly string[]; scope: ScopeName };

/** Reads user tokens of one issuer. `resource`: what they are for; default: the API. */
export type TokenReader = (
  token: string,
  now: number,
  resource?: TokenResource,
) => Promise<Principal>;

/**
 * Creates a reader of user tokens (OIDC JWTs). It verifies signature, issuer, audience, expiry and not-before, and
 * reads the organization and the role's scopes from the claims.
 * Throws the problems `unauthenticated`, `credentials-expired` and `service-unavailable`.
 */
export const tokenReader =
  (settings: Omit<TokenSettings, "resourceAudiences">, keys: JWTVerifyGetKey): TokenReader =>
  async (token, now, resource) => {
    const audiences = resource ? [resource.url, ...resource.otherAudiences] : [settings.audience];
    const claims = await verify(token, { issuer: settings.issuer, audiences, keys, now });
    const organizationId = OrganizationId.safeParse(claims[settings.organizationClaim]);
    const id = UserId.safeParse(claims.sub);
    const role = z.string().safeParse(claims[settings.roleClaim]);
    const scopes = role.success ? findPreset(role.data) : undefined;
    if (!organizationId.success || !id.success || !scopes) {
      throw unauthenticated("The user token lacks a usable sub, organization or role claim.");
    }
    const email = z.string().safeParse(claims.email).data ?? null;
    // An invitation to an address is for the user with that verified address.
    const verified = claims.email_verified === true ? UserId.safeParse(email).data : undefined;
    return {
      type: "User",
      id: id.data,
      organizationId: organizationId.data,
      scopes: resource ? toResourceScopes(scopes, { resource, claims }) : scopes,
      userIds: [...new Set([id.data, ...(verified === undefined ? [] : [lowerAddress(verified)])])],
      email,
      apiKey: null,
    };
  };

const Audiences = z.union([z.string().transform((name) => [name]), z.array(z.string())]);
const GrantedScopes = z.union([
  z.string().transform((names) => names.split(" ")),
  z.array(z.string()),
]);

/**
 * Returns the scopes of a role at a resource. A token that was issued for it has its scope only if it was granted, where the
 * token says what was (RFC 9068, 2.2.3); one for another audience says nothing about it.
 */
const toResourceScopes = (
  scopes: readonly ScopeName[],
  {
    resource: { url, scope },
    claims,
  }: { resource: TokenResource; claims: Readonly<Record<string, unknown>> },
): readonly ScopeName[] => {
  const isIssuedForIt = Audiences.safeParse(claims.aud).data?.includes(url);
  const isGranted = GrantedScopes.safeParse(claims.scope).data?.includes(scope) ?? true;
  if (isIssuedForIt && !isGranted) return scopes.filter((name) => name !== scope);
  return scopes.includes("agents:execute") ? [...scopes, scope] : scopes;
};

const verify = async (
  token: string,
  {
    issuer,
    audiences,
    keys,
    now,
  }: { issuer: string; audiences: readonly string[]; keys: JWTVerifyGetKey; now: number },
): Promise<Record<string, unknown>> => {
  try {
    const verified = await jwtVerify(token, keys, {
      issuer,
      audience: [...audiences],
      algorithms,
      requiredClaims: ["exp", "sub"],
      currentDate: new Date(now),
    });
    return verified.payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw credentialsExpired();
    if (isTokenFault(error)) throw unauthenticated();
    throw serviceUnavailable("The issuer of user tokens", error);
  }
};
