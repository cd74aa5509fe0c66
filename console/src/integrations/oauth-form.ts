import type { CreateIntegrationConfigBody, IntegrationConfig } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";

type SentAuth = NonNullable<CreateIntegrationConfigBody["auth"]>;

const textNames = [
  "issuer",
  "authorizationUrl",
  "tokenUrl",
  "revocationUrl",
  "resource",
  "clientId",
  "clientSecret",
  "clientPrivateKey",
  "assertion",
  "assertionPrivateKey",
  "assertionKeyId",
  "identityProviderIssuer",
  "identityProviderAuthorizationUrl",
  "identityProviderTokenUrl",
  "identityProviderClientId",
  "identityProviderClientSecret",
  "identityProviderClientPrivateKey",
  "idToken",
] as const;

/** Labels of the settings that are texts. */
export const oauthLabels: Readonly<Record<OAuthText, string>> = {
  issuer: "Issuer",
  authorizationUrl: "Authorization URL",
  tokenUrl: "Token URL",
  revocationUrl: "Revocation URL",
  resource: "Resource",
  clientId: "Client ID",
  clientSecret: "Client secret",
  clientPrivateKey: "Private key",
  assertion: "Assertion",
  assertionPrivateKey: "Assertion key",
  assertionKeyId: "Key ID",
  identityProviderIssuer: "Identity provider",
  identityProviderAuthorizationUrl: "Sign-in URL",
  identityProviderTokenUrl: "Exchange URL",
  identityProviderClientId: "Client ID at the identity provider",
  identityProviderClientSecret: "Client secret at the identity provider",
  identityProviderClientPrivateKey: "Private key at the identity provider",
  idToken: "ID token",
};

/** A member that the API may name in a detail, such as `must be without clientSecret`. Other words may be equal to a name. */
const named = /(?<=\b(?:needs|or|set|with|without) )[A-Za-z]+/g;

/** Returns an error of the API that names the settings as the form does. */
export const nameSettings = (error: unknown): unknown => {
  if (!(error instanceof ProblemError)) return error;
  const toLabel = (name: string): string => {
    const known = textNames.find((textName) => textName === name);
    return known ? `"${oauthLabels[known]}"` : name;
  };
  const errors = error.fields.map(({ pointer, detail }) => ({
    pointer,
    detail: detail.replaceAll(named, toLabel),
  }));
  return new ProblemError(error.status, { ...error.problem, errors });
};

/** Ways to get tokens. */
export type OAuthGrant = NonNullable<SentAuth["grant"]>;

/** A setting that is a text. */
export type OAuthText = (typeof textNames)[number];

/** The OAuth 2 settings of a config's form. */
export type OAuthForm = Readonly<Record<OAuthText, string>> & {
  scopes: string[];
  clientAuthentication: "" | "basic" | "post";
  clientAssertionAudience: "" | "endpoint";
  dpop: boolean;
  grant: OAuthGrant;
  owner: "tenant" | "endUser";
  /** As JSON. */
  assertionClaims: string;
};

/** The settings of a config that starts to use OAuth 2. */
export const emptyOAuthForm: OAuthForm = {
  ...{ issuer: "", authorizationUrl: "", tokenUrl: "", revocationUrl: "", resource: "" },
  ...{ clientId: "", clientSecret: "", clientPrivateKey: "", scopes: [] },
  ...{ clientAuthentication: "", clientAssertionAudience: "", dpop: false },
  ...{ grant: "authorization_code", owner: "tenant" },
  ...{ assertion: "", assertionPrivateKey: "", assertionKeyId: "", assertionClaims: "" },
  ...{ identityProviderIssuer: "", identityProviderAuthorizationUrl: "" },
  ...{ identityProviderTokenUrl: "", identityProviderClientId: "", idToken: "" },
  ...{ identityProviderClientSecret: "", identityProviderClientPrivateKey: "" },
};

/** Returns whether a person gives consent, or signs in, and may be the owner of a connection. */
export const asksPerson = ({ grant, idToken }: Pick<OAuthForm, "grant" | "idToken">): boolean =>
  grant === "authorization_code" || (grant === "id-jag" && idToken === "");

/** Pointers that the fields show. */
export const oauthPointers: readonly string[] = [
  ...textNames,
  ...[
    "type",
    "scopes",
    "clientAuthentication",
    "clientAssertionAudience",
    "dpop",
    "grant",
    "owner",
    "assertionClaims",
  ],
].map((name) => `/auth/${name}`);

/** Returns whether configs of an integration can use OAuth 2. */
export const supportsOAuth = (integrationId: string): boolean =>
  integrationId === "openapi" || integrationId === "mcp";

/** Converts the stored settings to the form; undefined for a config without OAuth 2. Sending the mask keeps the secret. */
export const toOAuthForm = (auth: IntegrationConfig["auth"]): OAuthForm | undefined => {
  if (auth?.type !== "oauth2") return undefined;
  const texts = textNames.map((name) => [name, auth[name] ?? ""]);
  return {
    ...emptyOAuthForm,
    ...Object.fromEntries(texts),
    scopes: auth.scopes ?? [],
    clientAuthentication: auth.clientAuthentication ?? "",
    clientAssertionAudience: auth.clientAssertionAudience === "endpoint" ? "endpoint" : "",
    dpop: auth.dpop ?? false,
    grant: auth.grant ?? emptyOAuthForm.grant,
    owner: auth.owner ?? emptyOAuthForm.owner,
    assertionClaims: auth.assertionClaims ? JSON.stringify(auth.assertionClaims, null, 2) : "",
  };
};

/** Returns the claims as the API takes them; the API refuses a text that is not JSON. */
const parseClaims = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Returns the members of an assertion: those of a stored one, or of a key. */
const toSentAssertion = (form: OAuthForm): Record<string, unknown> => {
  const { assertion, assertionPrivateKey, assertionKeyId, assertionClaims } = form;
  if (assertionPrivateKey === "") return assertion === "" ? {} : { assertion };
  return {
    assertionPrivateKey,
    ...(assertionKeyId !== "" && { assertionKeyId }),
    ...(assertionClaims.trim() !== "" && { assertionClaims: parseClaims(assertionClaims) }),
  };
};

const assertionNames: readonly OAuthText[] = ["assertion", "assertionPrivateKey", "assertionKeyId"];
const identityNames = textNames.filter(
  (name) => name === "idToken" || name.startsWith("identityProvider"),
);

/** Returns whether a client has a private key. */
export const hasKey = ({ grant, ...form }: OAuthForm): boolean =>
  form.clientPrivateKey !== "" ||
  (grant === "id-jag" && form.identityProviderClientPrivateKey !== "");

/** Converts the form to members of `auth` in a request: none without OAuth 2. */
export const toSentOAuth = (form: OAuthForm | undefined): SentAuth => {
  if (!form) return {};
  const { scopes, clientAuthentication, clientAssertionAudience, dpop, grant, owner } = form;
  const texts = textNames
    .filter((name) => form[name] !== "" && !assertionNames.includes(name))
    .filter((name) => grant === "id-jag" || !identityNames.includes(name))
    .map((name) => [name, form[name]]);
  return {
    type: "oauth2",
    ...Object.fromEntries(texts),
    ...(scopes.length > 0 && { scopes }),
    // Settings of a secret or of a key, which a client has only one of.
    ...(clientAuthentication !== "" && form.clientPrivateKey === "" && { clientAuthentication }),
    ...(clientAssertionAudience !== "" && hasKey(form) && { clientAssertionAudience }),
    ...(dpop && { dpop }),
    grant,
    // Tokens without a person have no other owner.
    owner: asksPerson(form) ? owner : "tenant",
    ...(grant === "jwt-bearer" && toSentAssertion(form)),
  };
};
