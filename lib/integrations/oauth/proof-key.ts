import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from "node:crypto";
import * as z from "zod";
import type { Prover } from "../../engine/tools/access-token.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";

/** The algorithm of proofs. */
export const proofAlgorithm = "ES256";

/** The private key that the tokens of a connection are bound to (RFC 9449), as a JWK; stored with them. */
export const ProofKey = z.object({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});
export type ProofKey = z.output<typeof ProofKey>;

/** Generates a key for a connection. */
export const generateProofKey = (): ProofKey =>
  ProofKey.parse(
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  );

/** Returns the thumbprint of a key (RFC 7638). */
export const hashProofKey = (key: ProofKey): string => {
  const { crv, kty, x, y } = key;
  return hash(JSON.stringify({ crv, kty, x, y }));
};

/** Imports a key as the pair of its private and its public half. */
export const importProofKey = (key: ProofKey) => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const privateKey = createPrivateKey({ key, format: "jwk" });
  return {
    privateKey: privateKey.toCryptoKey(algorithm, false, ["sign"]),
    publicKey: createPublicKey(privateKey).toCryptoKey(algorithm, true, ["verify"]),
  };
};

const maxNonces = 1_000;
const maxNonceLength = 1_000;

/** The last nonces of services, by key and origin. A service that wants another one says so. */
const nonces = new Map<string, string>();

/** Returns the prover of calls with an access token that is bound to a key. */
export const createProver = (
  { clock, randomBytes }: Pick<Runtime, "clock" | "randomBytes">,
  key: ProofKey,
  accessToken: string,
): Prover => {
  const { crv, kty, x, y } = key;
  const thumbprint = hashProofKey(key);
  const privateKey = createPrivateKey({ key, format: "jwk" });
  const nameNonce = (url: string) => `${thumbprint} ${new URL(url).origin}`;
  return {
    prove: ({ method, url }) => {
      const { origin, pathname } = new URL(url);
      const nonce = nonces.get(nameNonce(url));
      const header = { typ: "dpop+jwt", alg: proofAlgorithm, jwk: { crv, kty, x, y } };
      const payload = {
        jti: Buffer.from(randomBytes(16)).toString("base64url"),
        htm: method,
        htu: origin + pathname,
        iat: Math.floor(clock() / 1_000),
        ath: hash(accessToken),
        ...(nonce !== undefined && { nonce }),
      };
      const signed = [header, payload].map(encode).join(".");
      const signature = sign("sha256", Buffer.from(signed), {
        key: privateKey,
        dsaEncoding: "ieee-p1363",
      });
      return `${signed}.${signature.toString("base64url")}`;
    },
    keepNonce: (url, nonce) => {
      if (nonce.length > maxNonceLength) return;
      if (nonces.size >= maxNonces) nonces.clear();
      nonces.set(nameNonce(url), nonce);
    },
  };
};

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url");

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
