import { constants, sign } from "node:crypto";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import { type AssertionAlgorithm, type ClientKey, readClientKey } from "./client-key.ts";

/** The key and the claims of the assertions of a config. */
export type AssertionSigner = {
  privateKey: string;
  keyId: string | null;
  claims: Readonly<Record<string, unknown>>;
};

/** Services take assertions that are valid for at most a minute, by their own clocks. */
const lifeSeconds = 45;

/**
 * Signs an assertion for one request (RFC 7523, 2.1), which is valid for 45 seconds. `defaults`: claims that the config does not
 * have.
 */
export const signAssertion = (
  { clock, randomBytes }: Pick<Runtime, "clock" | "randomBytes">,
  { privateKey, keyId, claims }: AssertionSigner,
  defaults: Readonly<Record<string, string>>,
): string => {
  const key = readClientKey(privateKey);
  if (!key) throw new Error("a stored private key is not one");
  const alg = chooseGrantAlgorithm(key);
  const header = { ...key.header, ...(keyId !== null && { kid: keyId }), alg, typ: "JWT" };
  const iat = Math.floor(clock() / 1_000);
  const jti = Buffer.from(randomBytes(16)).toString("base64url");
  const payload = { ...defaults, ...claims, iat, exp: iat + lifeSeconds, jti };
  const text = [header, payload].map(encode).join(".");
  return `${text}.${signText(key, alg, text).toString("base64url")}`;
};

/** The metadata of a server lists algorithms of clients, not of grants: services take RS256 from an RSA key, whatever has its certificate. */
const chooseGrantAlgorithm = ({ algorithms: [first = "RS256", ...more] }: ClientKey) =>
  more.includes("RS256") ? "RS256" : first;

const signText = ({ key }: ClientKey, algorithm: AssertionAlgorithm, text: string): Buffer => {
  const bytes = Buffer.from(text);
  switch (algorithm) {
    case "ES256":
      return sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
    case "EdDSA":
    case "Ed25519":
      return sign(null, bytes, key);
    case "RS256":
      return sign("sha256", bytes, key);
    case "PS256":
      return sign("sha256", bytes, {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
      });
  }
};

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
