import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { credentialsFor } from "./credentials.ts";

/** Returns the query of a presigned URL; undefined for any other. */
export const presignedIn = (url: string): URLSearchParams | undefined => {
  if (!url.includes("?")) return undefined;
  const { searchParams } = new URL(url, "http://local.invalid");
  return searchParams.has("X-Amz-Signature") ? searchParams : undefined;
};

const algorithm = "AWS4-HMAC-SHA256";
const maxSeconds = 7 * 24 * 60 * 60;
const clockSkewMs = 15 * 60_000;

/**
 * Creates a check of presigned URLs (AWS Signature Version 4, query parameters): the signature covers method, path,
 * query and the signed headers, and must not have expired. As S3, it requires that all `X-Amz-` headers are signed;
 * beyond S3, that a PUT has its size and type signed. Returns what is wrong, or undefined.
 */
export const createPresignedCheck =
  (secret: string) =>
  (request: IncomingMessage, query: URLSearchParams, now: number): string | undefined => {
    const { method = "", headers } = request;
    const signed = (query.get("X-Amz-SignedHeaders") ?? "").split(";");
    const required = method === "PUT" ? ["host", "content-length", "content-type"] : ["host"];
    const own = Object.keys(headers).filter((name) => name.startsWith("x-amz-"));
    const missing = [...required, ...own].filter((name) => !signed.includes(name));
    if (missing.length > 0) return `The presigned URL does not sign ${missing.join(", ")}.`;
    if (headers.authorization !== undefined) return "The request has two signatures.";
    if (isExpired(query, now)) return "The presigned URL has expired.";
    const [caller = "", ...scope] = (query.get("X-Amz-Credential") ?? "").split("/");
    const toSign = [
      algorithm,
      query.get("X-Amz-Date") ?? "",
      scope.join("/"),
      sha256(canonicalRequest(request, signed)),
    ].join("\n");
    let key: Uint8Array = Buffer.from(`AWS4${credentialsFor(secret, caller).secretAccessKey}`);
    for (const part of scope) key = hmac(key, part);
    const expected = hmac(key, toSign);
    const [signature = "", ...others] = query.getAll("X-Amz-Signature");
    if (others.length > 0 || !/^[0-9a-f]{64}$/.test(signature))
      return "The signature is malformed.";
    const given = Buffer.from(signature, "hex");
    const isRight = given.length === expected.length && timingSafeEqual(given, expected);
    if (isRight && query.get("X-Amz-Algorithm") === algorithm) return undefined;
    return "The signature of the presigned URL does not match the request: its method, path, query, size or type differ.";
  };

const canonicalRequest = (
  { method = "", url = "", headers }: IncomingMessage,
  signed: readonly string[],
): string => {
  const [path = "", ...rest] = url.split("?");
  const query = rest
    .join("?")
    .split("&")
    .map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return `${encode(name)}=${encode(value.join("="))}`;
    })
    .filter((pair) => !pair.startsWith("X-Amz-Signature="))
    .sort();
  const lines = signed.map((name) => `${name}:${normalizeHeader(headers[name])}\n`);
  const payload = "UNSIGNED-PAYLOAD";
  return [method, path, query.join("&"), lines.join(""), signed.join(";"), payload].join("\n");
};

const normalizeHeader = (value: string | string[] | undefined): string =>
  String(value ?? "")
    .trim()
    .replaceAll(/ +/g, " ");

/** Encodes a part of a query as SigV4 does, whichever way it was sent. */
const encode = (text: string): string =>
  encodeURIComponent(decode(text)).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const isExpired = (query: URLSearchParams, now: number): boolean => {
  const signedAt = Date.parse(
    (query.get("X-Amz-Date") ?? "").replace(
      /^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/,
      "$1-$2-$3:$4:$5",
    ),
  );
  const seconds = Number(query.get("X-Amz-Expires"));
  const isValid = seconds > 0 && seconds <= maxSeconds && signedAt <= now + clockSkewMs;
  return !(isValid && now < signedAt + seconds * 1_000);
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: Uint8Array, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();
