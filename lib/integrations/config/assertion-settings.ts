import * as z from "zod";
import { mask } from "../../platform/http/mask.ts";
import { limitedRecord } from "../../values/json/limited-record.ts";
import { readClientKey } from "../oauth/client-key.ts";

const maxClaims = 32;

/** A claim of an assertion. */
const Claim = z.union([
  z.string().max(2_048),
  z.number(),
  z.boolean(),
  z.array(z.string().max(2_048)).max(32),
]);

/** Claims that an assertion has in addition to its times and its id. */
export const AssertionClaims = z.record(z.string(), Claim);
export type AssertionClaims = z.output<typeof AssertionClaims>;

const stored = "Stored encrypted and returned as ********; send ******** to keep a stored value.";

/** Members of a request's `auth` that are of the grant `jwt-bearer`. */
export const sentAssertion = {
  assertion: z
    .string()
    .min(1)
    .max(16_384)
    .nullish()
    .meta({
      description: `Of \`jwt-bearer\`: a token of the workload, as it is. Replace it before it expires. ${stored}`,
    }),
  assertionPrivateKey: z
    .string()
    .min(1)
    .max(16_384)
    .nullish()
    .meta({
      description: `Of \`jwt-bearer\`, in place of \`assertion\`: a private key that signs the assertions, as PEM (PKCS #8) or JWK. ${stored}`,
    }),
  assertionKeyId: z.string().min(1).max(500).nullish().meta({
    description: "Id of `assertionPrivateKey` at the authorization server: `kid` in assertions.",
  }),
  assertionClaims: limitedRecord(z.string().min(1).max(200), Claim, maxClaims).nullish().meta({
    description:
      "Claims of the assertions that `assertionPrivateKey` signs. Without `iss` it is `clientId`; without `aud` the issuer, or else `tokenUrl`.",
  }),
};
type SentAssertion = z.output<z.ZodObject<typeof sentAssertion>>;

/** Members of the `auth` of a config that are of the grant `jwt-bearer`. */
export const shownAssertion = {
  assertion: z.string().nullable(),
  assertionPrivateKey: z.string().nullable(),
  assertionKeyId: z.string().nullable(),
  assertionClaims: AssertionClaims.nullable(),
};

/** Claims that are of each assertion. */
const ownClaims = ["exp", "iat", "nbf", "jti"] as const;

type AssertionProblem = readonly [path: readonly string[], detail: string];

/**
 * Problems of the assertions of a config. `isGrant`: whether its grant is `jwt-bearer`. `isNamed`: whether the config names the
 * authorization server, or an MCP server does.
 */
export const findAssertionProblems = (
  sent: SentAssertion & { clientId?: string | null | undefined },
  { isGrant, isNamed }: { isGrant: boolean; isNamed: boolean },
): AssertionProblem[] => {
  if (!isGrant) {
    return Object.keys(sentAssertion).flatMap((name): AssertionProblem[] =>
      Reflect.get(sent, name) == null ? [] : [[[name], 'needs "grant": "jwt-bearer"']],
    );
  }
  const { assertion, assertionPrivateKey: key, assertionKeyId, assertionClaims: claims } = sent;
  // It is of use at another server than that which gets it.
  const hasAudience = assertion != null || claims?.aud !== undefined;
  const unnamed =
    hasAudience && !isNamed
      ? [problem("issuer", "is required: the assertion has an audience, and is for it alone")]
      : [];
  if (key == null) {
    const needed = "needs assertionPrivateKey";
    return [
      ...unnamed,
      ...(assertion == null ? [problem("assertion", "is required, or assertionPrivateKey")] : []),
      ...(assertionKeyId == null ? [] : [problem("assertionKeyId", needed)]),
      ...(claims == null ? [] : [problem("assertionClaims", needed)]),
    ];
  }
  const detail =
    "must be an unencrypted private key, as PEM or JWK: EC P-256, Ed25519, or RSA of 2048 to 8192 bits";
  return [
    ...unnamed,
    ...(key === mask || readClientKey(key) ? [] : [problem("assertionPrivateKey", detail)]),
    ...(assertion == null ? [] : [problem("assertion", "must be without assertionPrivateKey")]),
    ...(sent.clientId == null && claims?.iss === undefined
      ? [problem("assertionClaims", "must have iss, or set clientId")]
      : []),
    ...ownClaims
      .filter((name) => Object.hasOwn(claims ?? {}, name))
      .map((name): AssertionProblem => [["assertionClaims", name], "is set for each assertion"]),
  ];
};

const problem = (name: string, detail: string): AssertionProblem => [[name], detail];
