import { validationFailed } from "../../platform/http/problems.ts";
import { toIssuePointer } from "../../platform/http/zod-error-map.ts";
import { parseDestination } from "../../platform/outgoing/destination.ts";
import { sha256Hex } from "../../platform/signatures/signatures.ts";
import { canonicalJson } from "../../values/json/canonical-json.ts";
import { oauthSecretNames } from "./oauth-settings.ts";
import type { IntegrationContent } from "./schemas.ts";

type Destined = Pick<IntegrationContent, "parameters" | "auth">;

/**
 * Throws 400 when a change would send stored credentials to a new destination: permission to edit a config does
 * not include permission to read its credentials. `masked`: the names of those that the change keeps.
 */
export const checkDestination = (
  integrationId: string,
  before: Destined,
  after: Destined,
  masked: readonly string[],
): void => {
  const given = mapUses(integrationId, before);
  const wanted = mapUses(integrationId, after);
  const names = new Set([...given.keys(), ...wanted.keys()]);
  if ([...names].every((name) => given.get(name) === wanted.get(name))) return;
  const detail =
    "must be sent again when the address, or the audience of assertions, changes: stored credentials are only used where they were saved for";
  throw validationFailed(masked.map((name) => ({ pointer: pointToSecret(after, name), detail })));
};

const pointToSecret = ({ auth }: Destined, name: string): string => {
  const isOfOAuth = auth?.type === "oauth2" && oauthSecretNames.some((secret) => secret === name);
  return toIssuePointer(isOfOAuth ? ["auth", name] : ["auth", "parameters", name]);
};

/**
 * Hashes where a config sends tokens, and the client or the account that they are issued to. A connection is not used after the hash of its
 * config has changed.
 */
export const hashTarget = (integrationId: string, config: Destined): string => {
  const { authorizationUrl, clientId, resource, dpop, grant, assertionClaims } = config.auth ?? {};
  const destinations = listSorted(integrationId, config);
  // Bearer tokens are not used after tokens are to be bound to a key.
  const bound = dpop === true ? ["dpop"] : [];
  // Claims name the account, and the identity provider has the people.
  const { identityProviderAuthorizationUrl: signInUrl, identityProviderClientId } =
    config.auth ?? {};
  const { idToken } = config.auth ?? {};
  const account = [
    ...(grant === "jwt-bearer" ? [grant, assertionClaims ?? {}] : []),
    ...(grant === "id-jag" ? [grant, signInUrl ?? null, identityProviderClientId ?? null] : []),
    // One that is given, in place of a person who signs in.
    ...(grant === "id-jag" && idToken != null ? ["idToken"] : []),
  ];
  const client = [
    authorizationUrl ?? null,
    clientId ?? null,
    resource ?? null,
    ...bound,
    ...account,
  ];
  return sha256Hex(canonicalJson([integrationId, destinations, client]));
};

/** Hashes where a config sends its credentials. */
export const hashDestinations = (integrationId: string, config: Destined): string =>
  sha256Hex(canonicalJson([integrationId, listSorted(integrationId, config)]));

const listSorted = (integrationId: string, config: Destined) =>
  [...mapDestinations(integrationId, config)].toSorted();

/** Destinations of the credentials, and the audience that a key signs for: assertions are of use there. */
const mapUses = (integrationId: string, config: Destined): ReadonlyMap<string, string> => {
  const audience = config.auth?.assertionClaims?.aud;
  const destinations = mapDestinations(integrationId, config);
  if (audience === undefined) return destinations;
  return new Map([...destinations, ["/auth/assertionClaims/aud", canonicalJson(audience)]]);
};

/** Destinations of the credentials, by the pointer of the parameter that sets them. */
const mapDestinations = (
  integrationId: string,
  { parameters, auth }: Destined,
): ReadonlyMap<string, string> => {
  const { tokenUrl, revocationUrl, issuer } = auth ?? {};
  const { identityProviderTokenUrl, identityProviderIssuer } = auth ?? {};
  const servers = listDestinations(["auth"], {
    tokenUrl,
    revocationUrl,
    issuer,
    identityProviderTokenUrl,
    identityProviderIssuer,
  });
  if (integrationId !== "openapi")
    return new Map([...listDestinations([], parameters), ...servers]);
  // Credentials go to baseUrl, or else to the server of the document.
  const { baseUrl, documentUrl } = parameters;
  const address = isSet(baseUrl) ? baseUrl : documentUrl;
  return new Map([["server", destinationIn(address) ?? ""], ...servers]);
};

const isSet = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

/** Settings that are part of an address but not an address themselves. */
const addressParts = new Set(["cloudId"]);

const listDestinations = (
  path: readonly string[],
  value: unknown,
): (readonly [place: string, destination: string])[] => {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, member]) =>
      listDestinations([...path, name], member),
    );
  }
  const isPart = addressParts.has(path.at(-1) ?? "");
  const destination = isPart ? JSON.stringify(value) : destinationIn(value);
  return destination === undefined ? [] : [[toIssuePointer(path), destination]];
};

const destinationIn = (value: unknown): string | undefined =>
  typeof value === "string" ? parseDestination(value) : undefined;
