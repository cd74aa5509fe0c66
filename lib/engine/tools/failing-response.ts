import { mask } from "../../platform/http/mask.ts";
import type { OutgoingRequest } from "../../platform/outgoing/request.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

const maxBytes = 2_048;
/** Shorter values occur in texts by chance. */
const shortestSecret = 6;
const harmless = new Set(["accept", "content-type", "user-agent", "accept-encoding"]);

/** Returns the first 2 KB of a failing response's body, with everything that the request sent as a credential masked. */
export const maskedExcerpt = (body: Buffer, { url, headers = {} }: OutgoingRequest): string => {
  const text = body.subarray(0, maxBytes * 2).toString("utf8");
  const { username, password, searchParams } = new URL(url);
  const sent = [
    ...Object.entries(headers).flatMap(([name, value]) =>
      harmless.has(name.toLowerCase()) ? [] : [String(value), ...String(value).split(/[\s;=,]+/)],
    ),
    ...searchParams.values(),
    username,
    password,
  ];
  const secrets = sent.filter(({ length }) => length >= shortestSecret);
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
  const masked = longestFirst.reduce((shown, secret) => shown.replaceAll(secret, mask), text);
  return Buffer.from(masked)
    .subarray(0, maxBytes)
    .toString("utf8")
    .replace(/\uFFFD$/, "");
};

/** Returns the message of an error with the response that the service behind a tool failed with. */
export const withResponse = (message: string, error: unknown): string =>
  error instanceof UpstreamError && error.responseExcerpt
    ? `${message} It responded: ${error.responseExcerpt}`
    : message;
