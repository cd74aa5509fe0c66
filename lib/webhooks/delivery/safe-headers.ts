import type { Headers } from "../../platform/http/request.ts";

const maxHeaders = 64;
const maxValueLength = 2_048;
const maxCharacters = 16_384;

/**
 * Names of headers with credentials or signatures, of proxies (which may contain a path with a key), and of
 * headers that concern a connection only.
 */
const unsafe = [
  /(?:^|[-_])(?:signature|sig|hmac|secret|token|password|passwd|credentials?|cookie2?|session|jwt|auth)(?:[-_]|\d|$)/,
  /authorization|authentication|api-?key|(?:access|private|secret|shared|auth|subscription)-?key/,
  /signature|set-cookie|csrf|xsrf/,
  /^(?:proxy-|x-amz|x-forwarded|x-original|x-rewrite|x-real|x-envoy|cf-|cloudfront-|fly-|sec-)/,
  /^(?:forwarded|via|referer|host|x-request-uri|x-client-ip|true-client-ip|client-ip)$/,
  /^(?:connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|content-length)$/,
];

const isHeaderName = (name: string): boolean =>
  /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name) && name !== "__proto__";

/** Names of headers with a credential that is the same in each delivery. */
const credential = /authorization|token|api-?key|password|cookie/;

/** Returns the provider's headers with a signature of this delivery and its timestamp, without credentials. */
export const signatureHeaders = (
  headers: Headers,
  secretHeaders: readonly string[],
): Record<string, string> => {
  const kept: [string, string][] = [];
  for (const [given, values] of headers) {
    const name = given.toLowerCase();
    const value = values.join(", ");
    if (!secretHeaders.includes(name) || credential.test(name)) continue;
    if (value.length <= maxValueLength) kept.push([name, value]);
  }
  return Object.fromEntries(kept);
};

/**
 * Filters the headers that subscribers may see; several values are joined by ", ". Contains no credentials or
 * signatures; at most 64 headers of 2,048 characters, 16,384 in total.
 */
export const safeHeaders = (
  headers: Headers,
  secretHeaders: readonly string[],
): Record<string, string> => {
  const kept: [string, string][] = [];
  let characters = 0;
  for (const [given, values] of headers) {
    const name = given.toLowerCase();
    if (!isHeaderName(name) || secretHeaders.includes(name)) continue;
    if (unsafe.some((pattern) => pattern.test(name))) continue;
    const value = values.join(", ");
    const length = name.length + value.length;
    if (value.length > maxValueLength || characters + length > maxCharacters) continue;
    characters += length;
    kept.push([name, value]);
    if (kept.length === maxHeaders) break;
  }
  return Object.fromEntries(kept);
};
