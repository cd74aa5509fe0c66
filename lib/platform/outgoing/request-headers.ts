import { validateHeaderName, validateHeaderValue } from "node:http";
import { OutgoingError } from "./outgoing-error.ts";

/** Headers by name. */
export type OutgoingHeaders = { readonly [name: string]: string };

/** Headers of the connection itself, which only this client may set. */
const own = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that are sent to another origin; any other may be a credential. */
const harmless = new Set(["accept", "accept-language", "content-type", "user-agent"]);

/** Returns the headers in lower case, without those of the connection. */
export const cleanHeaders = (headers: OutgoingHeaders): OutgoingHeaders => {
  const clean: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    checkHeader(name, value);
    if (!own.has(name.toLowerCase())) clean.push([name.toLowerCase(), value]);
  }
  return { "user-agent": "wharf", ...Object.fromEntries(clean), "accept-encoding": "identity" };
};

const checkHeader = (name: string, value: string): void => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (cause) {
    const shown = /^[\w-]{1,64}$/.test(name) ? ` "${name}"` : "";
    throw new OutgoingError(
      "bad-request",
      `The header${shown} contains characters that are not allowed in headers.`,
      "",
      {
        cause,
      },
    );
  }
};

/** Returns the headers that may follow a redirect to another origin. */
export const headersForOtherOrigin = (headers: OutgoingHeaders): OutgoingHeaders =>
  pick(headers, (name) => harmless.has(name) || name === "accept-encoding");

/** Returns the headers of a request without its body. */
export const headersWithoutBody = (headers: OutgoingHeaders): OutgoingHeaders =>
  pick(headers, (name) => !name.startsWith("content-"));

const pick = (headers: OutgoingHeaders, keep: (name: string) => boolean): OutgoingHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)));
