import * as z from "zod";
import { mask } from "../../platform/http/mask.ts";
import { maxAddressLength } from "../../platform/outgoing/parse-address.ts";
import { readClientKey } from "../oauth/client-key.ts";

const address = (description: string) =>
  z.string().min(1).max(maxAddressLength).nullish().meta({ description });
const secret = (maxLength: number, description: string) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .nullish()
    .meta({
      description: `${description} Stored encrypted and returned as ********; send ******** to keep a stored value.`,
    });

/** Members of a request's `auth` that are of the grant `id-jag`. */
export const sentIdentity = {
  identityProviderIssuer: address(
    "Of `id-jag`: the identifier of the company's identity provider. What is not given is read from its metadata.",
  ),
  identityProviderAuthorizationUrl: address("Where a person signs in at the identity provider."),
  identityProviderTokenUrl: address("Where the identity provider exchanges tokens (RFC 8693)."),
  identityProviderClientId: z.string().min(1).max(maxAddressLength).nullish().meta({
    description: "The client at the identity provider.",
  }),
  identityProviderClientSecret: secret(4_096, "Secret of the client at the identity provider."),
  identityProviderClientPrivateKey: secret(
    16_384,
    "In place of `identityProviderClientSecret`: a private key, as PEM (PKCS #8) or JWK.",
  ),
  idToken: secret(
    16_384,
    "In place of a person who signs in: an ID token of the identity provider for its client. Replace it before it expires.",
  ),
};
type SentIdentity = z.output<z.ZodObject<typeof sentIdentity>>;

/** Members of the `auth` of a config that are of the grant `id-jag`. */
export const shownIdentity = {
  identityProviderIssuer: z.string().nullable(),
  identityProviderAuthorizationUrl: z.string().nullable(),
  identityProviderTokenUrl: z.string().nullable(),
  identityProviderClientId: z.string().nullable(),
  identityProviderClientSecret: z.string().nullable(),
  identityProviderClientPrivateKey: z.string().nullable(),
  idToken: z.string().nullable(),
};

/** Settings of the identity provider of a config. */
export type IdentitySettings = {
  identityProviderIssuer: string | null;
  identityProviderAuthorizationUrl: string | null;
  identityProviderTokenUrl: string | null;
  identityProviderClientId: string | null;
};

/** Returns the settings of the identity provider, null where they are absent. */
export const completeIdentity = (
  sent: {
    readonly [name in keyof IdentitySettings]?: string | null | undefined;
  },
): IdentitySettings => ({
  identityProviderIssuer: sent.identityProviderIssuer ?? null,
  identityProviderAuthorizationUrl: sent.identityProviderAuthorizationUrl ?? null,
  identityProviderTokenUrl: sent.identityProviderTokenUrl ?? null,
  identityProviderClientId: sent.identityProviderClientId ?? null,
});

const endpoints: readonly string[] = [
  "identityProviderAuthorizationUrl",
  "identityProviderTokenUrl",
];

type IdentityProblem = readonly [name: string, detail: string];

/** Problems of the identity provider of a config. `isGrant`: whether its grant is `id-jag`. */
export const findIdentityProblems = (sent: SentIdentity, isGrant: boolean): IdentityProblem[] => {
  if (!isGrant) {
    return Object.keys(sentIdentity).flatMap((name): IdentityProblem[] =>
      Reflect.get(sent, name) == null ? [] : [[name, 'needs "grant": "id-jag"']],
    );
  }
  const isDiscovered = sent.identityProviderIssuer != null;
  const { identityProviderClientPrivateKey: key, identityProviderClientSecret, idToken } = sent;
  const needed = [
    ...(isDiscovered ? [] : (["identityProviderTokenUrl"] as const)),
    ...(isDiscovered || idToken != null ? [] : (["identityProviderAuthorizationUrl"] as const)),
    ...(key == null ? [] : (["identityProviderIssuer"] as const)),
    "identityProviderClientId" as const,
  ];
  const detail =
    "must be an unencrypted private key, as PEM or JWK: EC P-256, Ed25519, or RSA of 2048 to 8192 bits";
  const keyName = "identityProviderClientPrivateKey";
  return [
    ...needed
      .filter((name) => sent[name] == null)
      .map(
        (name): IdentityProblem => [
          name,
          endpoints.includes(name) ? "is required, or identityProviderIssuer" : "is required",
        ],
      ),
    ...(key == null || key === mask || readClientKey(key) ? [] : [[keyName, detail] as const]),
    ...(key == null || identityProviderClientSecret == null
      ? []
      : [[keyName, "must be without identityProviderClientSecret"] as const]),
  ];
};
