import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";

/** The SDK's interface of a signer. */
export type RequestSigner = Extract<NonNullable<DynamoDBClientConfig["signer"]>, { sign: unknown }>;
type Request = Parameters<RequestSigner["sign"]>[0];

/** The members of a client's configuration that its signer reads, and the SDK's own signer. */
type SignerConfig = {
  credentials: () => Promise<{
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken?: string | undefined;
  }>;
  region: () => Promise<string>;
  service: string;
  sdkSigner: () => Promise<RequestSigner>;
};

/** Headers that the signer sets; a request that already has one is left to the SDK's signer. */
const generated: ReadonlySet<string> = new Set([
  "authorization",
  "date",
  "x-amz-content-sha256",
  "x-amz-date",
  "x-amz-security-token",
]);

/** Headers that the SDK does not sign, because a proxy may change them. */
const unsigned: ReadonlySet<string> = new Set([
  "cache-control",
  "connection",
  "expect",
  "from",
  "keep-alive",
  "max-forwards",
  "pragma",
  "referer",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "x-amzn-trace-id",
]);

/** Space that a signature contains in another form than the header. */
const unusualSpace = /^ | $|[\t\r\n]| {2}/;

/**
 * Creates a signer with the signatures of the SDK's own (AWS Signature Version 4), in half of its time: it keeps the
 * key of the day, and hashes without a promise per step. It signs what the clients of DynamoDB and SQS send, text or
 * bytes to `/`; everything else goes to the SDK's signer.
 */
export const requestSigner = ({
  credentials,
  region: defaultRegion,
  service: defaultService,
  sdkSigner,
}: SignerConfig): RequestSigner => {
  const getSigningKey = keepSigningKey();
  return {
    sign: async (request, options = {}) => {
      const { signingDate = new Date(), signableHeaders, unsignableHeaders } = options;
      const { body } = request;
      if (
        !isHashable(body) ||
        !hasPlainAddress(request) ||
        signableHeaders ||
        unsignableHeaders ||
        !(signingDate instanceof Date)
      ) {
        return (await sdkSigner()).sign(request, options);
      }
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      const region = options.signingRegion ?? (await defaultRegion());
      const date = signingDate.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
      const day = date.slice(0, 8);
      const service = options.signingService ?? defaultService;
      const scope = `${day}/${region}/${service}/aws4_request`;
      const bodyHash = hash("sha256", body);
      const headers: Record<string, string> = { ...request.headers, "x-amz-date": date };
      if (sessionToken) headers["x-amz-security-token"] = sessionToken;
      headers["x-amz-content-sha256"] = bodyHash;
      const { lines, names } = canonicalHeaders(headers);
      const canonical = `${request.method}\n/\n\n${lines}\n${names}\n${bodyHash}`;
      const toSign = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash("sha256", canonical)}`;
      const key = getSigningKey(secretAccessKey, day, region, service);
      const signature = createHmac("sha256", key).update(toSign).digest("hex");
      headers.authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
      return { ...request, headers };
    },
  };
};

const isHashable = (body: unknown): body is string | Uint8Array =>
  typeof body === "string" || body instanceof Uint8Array;

const hasPlainAddress = ({ path, query = {}, headers }: Request): boolean =>
  path === "/" &&
  Object.keys(query).length === 0 &&
  Object.keys(headers).every(
    (name) =>
      !generated.has(name.toLowerCase()) && (name === name.toLowerCase() || !isSigned(name)),
  );

const canonicalHeaders = (headers: Record<string, string>): { lines: string; names: string } => {
  const signed = Object.keys(headers).filter(isSigned).sort();
  const lines = signed.map((name) => `${name}:${withoutSpaces(headers[name] ?? "")}\n`).join("");
  return { lines, names: signed.join(";") };
};

const isSigned = (name: string): boolean => {
  const lower = name.toLowerCase();
  return !unsigned.has(lower) && !lower.startsWith("proxy-") && !lower.startsWith("sec-");
};

const withoutSpaces = (value: string): string =>
  unusualSpace.test(value)
    ? value
        .replaceAll(/[ \t\r\n]+/g, " ")
        .replace(/^ /, "")
        .replace(/ $/, "")
    : value;

/** Derives the key that signs a day's requests, once per day and set of credentials. Bytes would become a key in each request. */
const keepSigningKey = () => {
  let known: { of: string; key: KeyObject } | undefined;
  return (secret: string, day: string, region: string, service: string): KeyObject => {
    const of = [secret, day, region, service].join("\n");
    if (known?.of !== of) {
      let key = Buffer.from(`AWS4${secret}`);
      for (const part of [day, region, service, "aws4_request"]) {
        key = createHmac("sha256", key).update(part).digest();
      }
      known = { of, key: createSecretKey(key) };
    }
    return known.key;
  };
};
