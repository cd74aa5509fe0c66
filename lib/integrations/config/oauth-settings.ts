import * as z from "zod";
import { mask } from "../../platform/http/mask.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { toIssuePointer } from "../../platform/http/zod-error-map.ts";
import { maxAddressLength, parseAddress } from "../../platform/outgoing/parse-address.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { wrongUrl } from "../../platform/outgoing/wrong-url.ts";
import { readClientKey } from "../oauth/client-key.ts";
import {
  type AssertionClaims,
  findAssertionProblems,
  sentAssertion,
  shownAssertion,
} from "./assertion-settings.ts";
import {
  completeIdentity,
  findIdentityProblems,
  type IdentitySettings,
  sentIdentity,
  shownIdentity,
} from "./identity-settings.ts";

const address = (description: string) =>
  z.string().min(1).max(maxAddressLength).nullish().meta({ description });
const scope = z
  .string()
  .max(200)
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, "must be a scope: visible characters without quotes");

/** Scopes of an access token. */
export const OAuthScopes = z.array(scope).max(100);

/** Names of the secrets of OAuth 2 among the credentials of a config. */
export const oauthSecretNames = [
  "clientSecret",
  "clientPrivateKey",
  "assertion",
  "assertionPrivateKey",
  "identityProviderClientSecret",
  "identityProviderClientPrivateKey",
  "idToken",
] as const;
/** A secret of OAuth 2. */
export type OAuthSecretName = (typeof oauthSecretNames)[number];

/** Ways in which connections get tokens. */
const Grant = z.enum(["authorization_code", "client_credentials", "jwt-bearer", "id-jag"]);
type Grant = z.output<typeof Grant>;

const members = {
  type: z.literal("oauth2").nullish().meta({
    description: "`oauth2`: calls have the access token of a connection. Only for openapi and mcp.",
  }),
  authorizationUrl: address("Where a person gives consent."),
  tokenUrl: address("Where tokens are issued and refreshed."),
  revocationUrl: address("Where the tokens of a deleted connection are revoked (RFC 7009)."),
  issuer: address(
    "The authorization server's identifier. What is not given is read from its metadata (RFC 8414).",
  ),
  resource: address(
    "The resource that tokens are for (RFC 8707). Of an mcp config it is discovered.",
  ),
  clientId: z.string().min(1).max(maxAddressLength).nullish().meta({
    description:
      "Without it an mcp config uses a client id metadata document, or registers a client.",
  }),
  clientAuthentication: z.enum(["basic", "post"]).nullish().meta({
    description:
      "How the client's secret is sent. Without it as the server's metadata says, or `basic`.",
  }),
  clientAssertionAudience: z.enum(["issuer", "endpoint"]).nullish().meta({
    description:
      "Audience of the assertions that `clientPrivateKey` signs: `issuer`, the default, is the authorization server's identifier; `endpoint` is the URL that is called, for servers that accept only this one.",
  }),
  dpop: z.boolean().nullish().meta({
    description:
      "Whether tokens are bound to a key of the connection (DPoP, RFC 9449). Always for an MCP server that requires it.",
  }),
  scopes: OAuthScopes.nullish(),
  grant: Grant.nullish().meta({
    description:
      "`authorization_code`, the default: a person gives consent. `client_credentials`: tokens of the client itself. `jwt-bearer`: tokens for an assertion (RFC 7523), such as those of a service account. `id-jag`: tokens for the sign-in at a company's identity provider.",
  }),
  owner: z.enum(["tenant", "endUser"]).nullish().meta({
    description:
      "`tenant`, the default: one connection for all. `endUser`: one for each end user of a session, or else the calling user.",
  }),
};

/** Members of a request's `auth` that configure OAuth 2. */
export const sentOAuth = {
  ...members,
  clientSecret: z.string().min(1).max(4_096).nullish().meta({
    description: "Stored encrypted and returned as ********; send ******** to keep a stored value.",
  }),
  clientPrivateKey: z.string().min(1).max(16_384).nullish().meta({
    description:
      "In place of `clientSecret`: a private key that signs the client's assertions (RFC 7523), as PEM (PKCS #8) or JWK. Stored encrypted and returned as ********; send ******** to keep a stored value.",
  }),
  ...sentAssertion,
  ...sentIdentity,
};
export type SentOAuth = z.output<z.ZodObject<typeof sentOAuth>>;

/** With the credentials that are not of a client. */
type SentWithParameters = SentOAuth & {
  readonly parameters?: Readonly<Record<string, string>> | null;
};

/** Members of the `auth` of a config that uses OAuth 2; absent otherwise. */
export const shownOAuth = z
  .object({
    type: z.literal("oauth2"),
    authorizationUrl: z.string().nullable(),
    tokenUrl: z.string().nullable(),
    revocationUrl: z.string().nullable(),
    issuer: z.string().nullable(),
    resource: z.string().nullable(),
    clientId: z.string().nullable(),
    clientAuthentication: z.enum(["basic", "post"]).nullable(),
    clientAssertionAudience: z.enum(["issuer", "endpoint"]).nullable(),
    dpop: z.boolean(),
    scopes: z.array(z.string()),
    grant: Grant,
    owner: z.enum(["tenant", "endUser"]),
    clientSecret: z.string().nullable(),
    clientPrivateKey: z.string().nullable(),
    ...shownAssertion,
    ...shownIdentity,
  })
  .partial().shape;

/** OAuth 2 settings of a config. */
export type OAuthSettings = IdentitySettings & {
  authorizationUrl: string | null;
  tokenUrl: string | null;
  revocationUrl: string | null;
  issuer: string | null;
  resource: string | null;
  clientId: string | null;
  clientAuthentication: "basic" | "post" | null;
  clientAssertionAudience: "issuer" | "endpoint" | null;
  dpop: boolean;
  scopes: readonly string[];
  grant: Grant;
  owner: "tenant" | "endUser";
  assertionKeyId: string | null;
  assertionClaims: AssertionClaims | null;
};

type ShownAuth = z.output<z.ZodObject<typeof shownOAuth>>;

/** Completes the OAuth 2 members of a request; none without `type`. */
export const completeOAuth = (sent: SentOAuth): ShownAuth =>
  sent.type == null
    ? {}
    : {
        type: sent.type,
        authorizationUrl: sent.authorizationUrl ?? null,
        tokenUrl: sent.tokenUrl ?? null,
        revocationUrl: sent.revocationUrl ?? null,
        issuer: sent.issuer ?? null,
        resource: sent.resource ?? null,
        clientId: sent.clientId ?? null,
        clientAuthentication: sent.clientAuthentication ?? null,
        clientAssertionAudience: sent.clientAssertionAudience ?? null,
        dpop: sent.dpop ?? false,
        scopes: sent.scopes ?? [],
        grant: sent.grant ?? "authorization_code",
        owner: sent.owner ?? "tenant",
        ...Object.fromEntries(
          oauthSecretNames.map((name) => [name, sent[name] == null ? null : mask]),
        ),
        assertionKeyId: sent.assertionKeyId ?? null,
        assertionClaims: sent.assertionClaims ?? null,
        ...completeIdentity(sent),
      };

/** Returns the OAuth 2 settings of a config's `auth`; undefined for one without. */
export const readOAuth = (auth: ShownAuth | null): OAuthSettings | undefined =>
  auth?.type === "oauth2"
    ? {
        authorizationUrl: auth.authorizationUrl ?? null,
        tokenUrl: auth.tokenUrl ?? null,
        revocationUrl: auth.revocationUrl ?? null,
        issuer: auth.issuer ?? null,
        resource: auth.resource ?? null,
        clientId: auth.clientId ?? null,
        clientAuthentication: auth.clientAuthentication ?? null,
        clientAssertionAudience: auth.clientAssertionAudience ?? null,
        dpop: auth.dpop ?? false,
        scopes: auth.scopes ?? [],
        grant: auth.grant ?? "authorization_code",
        owner: auth.owner ?? "tenant",
        assertionKeyId: auth.assertionKeyId ?? null,
        assertionClaims: auth.assertionClaims ?? null,
        ...completeIdentity(auth),
      }
    : undefined;

/** Returns whether connections need the consent of a person, or a sign-in. */
export const asksPerson = ({
  grant,
  idToken,
}: Pick<OAuthSettings, "grant"> & { idToken?: string | null | undefined }): boolean =>
  grant === "authorization_code" || (grant === "id-jag" && idToken == null);

const endpoints: readonly string[] = ["authorizationUrl", "tokenUrl"];
const issuers: readonly string[] = ["issuer", "identityProviderIssuer"];
const addresses = [
  "authorizationUrl",
  "tokenUrl",
  "revocationUrl",
  "issuer",
  "resource",
  "identityProviderIssuer",
  "identityProviderAuthorizationUrl",
  "identityProviderTokenUrl",
] as const;

/** Throws 400 for OAuth 2 settings that are incomplete, contradict each other, or name an address that may not be called. */
export const checkOAuth = (
  integrationId: string,
  sent: SentWithParameters | null | undefined,
  outgoing: OutgoingOptions,
): void => {
  const errors = sent ? findProblems(integrationId, sent, outgoing) : [];
  if (errors.length > 0) throw validationFailed(errors);
};

const findProblems = (
  integrationId: string,
  sent: SentWithParameters,
  outgoing: OutgoingOptions,
): ValidationIssue[] => {
  const at = (name: string, detail: string) => ({
    pointer: toIssuePointer(["auth", name]),
    detail,
  });
  if (sent.type == null) {
    return Object.keys(sentOAuth).flatMap((name) =>
      Reflect.get(sent, name) == null ? [] : [at(name, 'needs "type": "oauth2"')],
    );
  }
  const isMcp = integrationId === "mcp";
  if (!isMcp && integrationId !== "openapi") {
    return [at("type", "is only for openapi and mcp")];
  }
  const isDiscovered = sent.issuer != null || isMcp;
  const grant = sent.grant ?? "authorization_code";
  const asksPeople = asksPerson({ grant, idToken: sent.idToken });
  const half = (["authorizationUrl", "tokenUrl"] as const).filter((name) => sent[name] != null);
  return [
    ...findMissing(sent, { grant, isMcp, isDiscovered }).map((name) =>
      at(name, endpoints.includes(name) ? "is required, or issuer" : "is required"),
    ),
    ...findKeyProblems(sent, isMcp).map(([name, detail]) => at(name, detail)),
    ...findAssertionProblems(sent, {
      isGrant: grant === "jwt-bearer",
      isNamed: !isMcp || sent.issuer != null || sent.tokenUrl != null,
    }).map(([path, detail]) => ({
      pointer: toIssuePointer(["auth", ...path]),
      detail,
    })),
    ...findIdentityProblems(sent, grant === "id-jag").map(([name, detail]) => at(name, detail)),
    ...oauthSecretNames
      .filter((name) => Object.hasOwn(sent.parameters ?? {}, name))
      .map((name) => ({
        pointer: toIssuePointer(["auth", "parameters", name]),
        detail: `is of OAuth 2: send it as /auth/${name}`,
      })),
    ...(grant === "authorization_code" && isDiscovered && half.length === 1
      ? [at(half[0] ?? "tokenUrl", "must stand with the other of authorizationUrl and tokenUrl")]
      : []),
    ...(!asksPeople && sent.owner === "endUser"
      ? [
          at(
            "owner",
            `must be tenant: ${grant} asks no person${grant === "id-jag" ? " with idToken" : ""}`,
          ),
        ]
      : []),
    ...addresses.flatMap((name) => {
      const text = sent[name];
      if (text == null) return [];
      if (!parseAddress(text)) return [at(name, "must be a URL")];
      const detail = wrongUrl(text, outgoing, { mayHaveQuery: !issuers.includes(name) });
      return detail === undefined ? [] : [at(name, detail)];
    }),
  ];
};

type RequiredName = "authorizationUrl" | "tokenUrl" | "issuer" | "clientId" | "clientSecret";

/** Returns the members that a grant needs and that are not sent. */
const findMissing = (
  sent: SentOAuth,
  {
    grant,
    isMcp,
    isDiscovered,
  }: { grant: OAuthSettings["grant"]; isMcp: boolean; isDiscovered: boolean },
): RequiredName[] => {
  const { clientSecret, clientPrivateKey } = sent;
  const hasCredential = clientSecret != null || clientPrivateKey != null;
  const needed: Record<RequiredName, boolean> = {
    authorizationUrl: grant === "authorization_code" && !isDiscovered,
    tokenUrl: !isDiscovered && grant !== "id-jag",
    // The identity provider names it as the audience.
    issuer: grant === "id-jag" && (!isMcp || sent.tokenUrl != null),
    clientId: grant === "jwt-bearer" ? hasCredential : grant !== "authorization_code" || !isMcp,
    clientSecret: grant === "client_credentials" && clientPrivateKey == null,
  };
  const names = ["authorizationUrl", "tokenUrl", "issuer", "clientId", "clientSecret"] as const;
  return names.filter((name) => needed[name] && sent[name] == null);
};

type KeyProblem = readonly [name: string, detail: string];

/** Problems of a client with a private key. Its assertions are for one issuer, which has to be known. */
const findKeyProblems = (sent: SentOAuth, isMcp: boolean): KeyProblem[] => {
  const { clientPrivateKey: key, clientAssertionAudience: audience, issuer, tokenUrl } = sent;
  if (key == null) {
    const isOfIdentity = sent.identityProviderClientPrivateKey != null;
    return audience == null || isOfIdentity
      ? []
      : [["clientAssertionAudience", "needs clientPrivateKey"]];
  }
  const isDiscovered = isMcp && tokenUrl == null && audience !== "endpoint";
  const problems: (KeyProblem | false)[] = [
    key !== mask &&
      !readClientKey(key) && [
        "clientPrivateKey",
        "must be an unencrypted private key, as PEM or JWK: EC P-256, Ed25519, or RSA of 2048 to 8192 bits",
      ],
    sent.clientSecret != null && ["clientPrivateKey", "must be without clientSecret"],
    sent.clientAuthentication != null && ["clientAuthentication", "needs clientSecret"],
    isMcp && sent.clientId == null && ["clientId", "is required with clientPrivateKey"],
    issuer == null &&
      !isDiscovered &&
      sent.grant !== "id-jag" && ["issuer", "is required: assertions are for one issuer"],
  ];
  return problems.filter((problem) => problem !== false);
};
