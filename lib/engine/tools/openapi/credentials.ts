import type { Json, JsonObject } from "../../../values/json/json.ts";
import { type AccessToken, formatAuthorization } from "../access-token.ts";
import type { Api } from "./operations.ts";
import type { OperationPlan } from "./plan-operation.ts";
import { objectIn, textIn } from "./read.ts";
import type { Resolver } from "./resolver.ts";

/** A credential and its place in a request. */
export type Credential = {
  readonly place: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
};

type Auth = Readonly<Record<string, string>>;

/**
 * Returns the credentials of an operation: its first alternative for which the config has all values, else none. A
 * value under a scheme's own name takes precedence over `apiKey`, `token`, `username` and `password`. Without
 * schemes in the document, a token is sent as a bearer token, and a username as HTTP Basic.
 */
export const selectCredentials = (
  { security }: Pick<OperationPlan, "security">,
  { root, resolver }: { readonly root: Api["root"]; readonly resolver: Resolver },
  auth: Auth,
): readonly Credential[] => {
  if (security === undefined) return bearer(auth.token) ?? basic(auth, "") ?? [];
  const schemes = objectIn(objectIn(root, "components"), "securitySchemes");
  for (const alternative of security) {
    resolver.charge(1);
    const found = credentialsFor(alternative, schemes, auth, resolver);
    if (found && found.length > 0) return found;
  }
  return [];
};

/** Returns an access token as the credential of an operation; none for one that needs no security. */
export const selectToken = (
  { security }: Pick<OperationPlan, "security">,
  accessToken: AccessToken,
): readonly Credential[] =>
  security?.length === 0
    ? []
    : [{ place: "header", name: "authorization", value: formatAuthorization(accessToken) }];

const credentialsFor = (
  alternative: Json,
  schemes: JsonObject | undefined,
  auth: Auth,
  resolver: Resolver,
): Credential[] | undefined => {
  if (typeof alternative !== "object" || alternative === null) return undefined;
  const credentials: Credential[] = [];
  for (const name of Object.keys(alternative)) {
    resolver.charge(1);
    const found = credentialFor(name, resolver.find(objectIn(schemes, name)), auth);
    if (!found) return undefined;
    credentials.push(...found);
  }
  return credentials;
};

const credentialFor = (
  schemeName: string,
  scheme: JsonObject | undefined,
  auth: Auth,
): readonly Credential[] | undefined => {
  const own = credentialIn(auth, schemeName);
  switch (textIn(scheme, "type")) {
    case "apiKey": {
      const place = textIn(scheme, "in");
      const name = textIn(scheme, "name");
      const value = own ?? credentialIn(auth, "apiKey");
      if (value === undefined || name === undefined) return undefined;
      if (place !== "header" && place !== "query" && place !== "cookie") return undefined;
      return [{ place, name, value }];
    }
    case "http":
      return textIn(scheme, "scheme")?.toLowerCase() === "basic"
        ? basic(auth, schemeName)
        : bearer(own ?? credentialIn(auth, "token"), textIn(scheme, "scheme"));
    case "oauth2":
    case "openIdConnect":
      return bearer(own ?? credentialIn(auth, "token"));
    default:
      return undefined;
  }
};

const credentialIn = (auth: Auth, name: string): string | undefined =>
  Object.hasOwn(auth, name) && auth[name] !== "" ? auth[name] : undefined;

const header = (value: string): Credential[] => [{ place: "header", name: "authorization", value }];

const bearer = (token: string | undefined, scheme = "bearer"): Credential[] | undefined => {
  if (token === undefined || token === "" || !/^[\w-]{1,40}$/.test(scheme)) return undefined;
  return header(`${scheme.toLowerCase() === "bearer" ? "Bearer" : scheme} ${token}`);
};

const basic = (auth: Auth, schemeName: string): Credential[] | undefined => {
  const username = credentialIn(auth, `${schemeName}.username`) ?? credentialIn(auth, "username");
  const password = credentialIn(auth, `${schemeName}.password`) ?? credentialIn(auth, "password");
  if (username === undefined && password === undefined) return undefined;
  return header(
    `Basic ${Buffer.from(`${username ?? ""}:${password ?? ""}`, "utf8").toString("base64")}`,
  );
};
