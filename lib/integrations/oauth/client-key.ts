import { createHash, createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import * as z from "zod";
import { parseJson } from "../../values/json/parse-json.ts";

/** Parameters of algorithms for the import of a key. */
const imports = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  EdDSA: { name: "Ed25519" },
  // The other name of the same algorithm (RFC 9864).
  Ed25519: { name: "Ed25519" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", hash: "SHA-256" },
} as const;

/** An algorithm of client assertions. */
export type AssertionAlgorithm = keyof typeof imports;

/** A private key with which a client authenticates (RFC 7523). */
export type ClientKey = {
  key: KeyObject;
  /** Algorithms of the key; the first is that for a server that does not say which ones it takes. */
  algorithms: readonly AssertionAlgorithm[];
  /** Members of the header of an assertion by which a server finds the public key. */
  header: Readonly<Record<string, string>>;
};

const smallestModulus = 2_048;
/** A larger one signs for seconds. */
const largestModulus = 8_192;

/**
 * Reads a private key: PEM, with the client's certificate after or before it if the server finds keys by certificates, or a
 * JWK. Undefined for a text that is none, and for a key without an algorithm of this list.
 */
export const readClientKey = (text: string): ClientKey | undefined => {
  try {
    return text.trimStart().startsWith("{") ? readJwk(text) : readPem(text);
  } catch {
    // The error may quote the key.
    return undefined;
  }
};

/** Returns the algorithm with which a key signs for a server; undefined if the server takes none of the key's. */
export const chooseAlgorithm = (
  { algorithms }: ClientKey,
  accepted: readonly string[] | null,
): AssertionAlgorithm | undefined =>
  algorithms.find((name) => accepted === null || accepted.includes(name));

/** Imports a key for signatures of one algorithm. */
export const importClientKey = ({ key }: ClientKey, algorithm: AssertionAlgorithm) =>
  key.toCryptoKey(imports[algorithm], false, ["sign"]);

const Jwk = z.looseObject({ kid: z.string().max(500).optional(), alg: z.string().optional() });

const readJwk = (text: string): ClientKey | undefined => {
  const parsed = parseJson(text);
  const jwk = Jwk.parse(parsed.ok ? parsed.value : undefined);
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  const { kid, alg } = jwk;
  const own = listAlgorithms(key);
  const algorithms = alg === undefined ? own : own.filter((name) => name === alg);
  return toClientKey(key, algorithms, kid === undefined ? {} : { kid });
};

const readPem = (text: string): ClientKey | undefined => {
  const key = createPrivateKey(text);
  const pem = findCertificate(text);
  if (pem === undefined) return toClientKey(key, listAlgorithms(key), {});
  const certificate = new X509Certificate(pem);
  if (!certificate.checkPrivateKey(key)) return undefined;
  const thumbprint = createHash("sha256").update(certificate.raw).digest("base64url");
  const own = listAlgorithms(key);
  // Servers that find keys by this thumbprint take PS256.
  const algorithms = key.asymmetricKeyType === "rsa" ? own.toReversed() : own;
  return toClientKey(key, algorithms, { "x5t#S256": thumbprint });
};

const [begin, end] = ["-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"] as const;

const findCertificate = (text: string): string | undefined => {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  return from < 0 || to < from ? undefined : text.slice(from, to + end.length);
};

const toClientKey = (
  key: KeyObject,
  algorithms: readonly AssertionAlgorithm[],
  header: ClientKey["header"],
): ClientKey | undefined => (algorithms.length === 0 ? undefined : { key, algorithms, header });

const listAlgorithms = ({
  asymmetricKeyType,
  asymmetricKeyDetails: { namedCurve, modulusLength = 0 } = {},
}: KeyObject): AssertionAlgorithm[] => {
  if (asymmetricKeyType === "ec") return namedCurve === "prime256v1" ? ["ES256"] : [];
  if (asymmetricKeyType === "ed25519") return ["EdDSA", "Ed25519"];
  if (asymmetricKeyType !== "rsa") return [];
  if (modulusLength < smallestModulus || modulusLength > largestModulus) return [];
  return ["RS256", "PS256"];
};
