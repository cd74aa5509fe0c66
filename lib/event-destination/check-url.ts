import { isIP } from "node:net";
import { validationFailed } from "../http/problems.ts";
import { isBlockedAddress } from "../outgoing/blocked-address.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { parseUrl } from "../outgoing/parse-url.ts";
import type { OutgoingOptions } from "../outgoing/resolve-host.ts";

/** Throws 400 for a URL that is never called. What its name resolves to is looked at by each call. */
export const checkUrl = (url: string, outgoing: OutgoingOptions): void => {
  const detail = wrongUrl(url, outgoing);
  if (detail !== undefined) throw validationFailed([{ pointer: "/url", detail }]);
};

const wrongUrl = (text: string, outgoing: OutgoingOptions): string | undefined => {
  try {
    const { hostname, hash } = parseUrl(text, undefined, outgoing);
    if (hash !== "") return "must not hold a fragment";
    const host = hostname.replace(/^\[|\]$/g, "");
    const isPrivate = isIP(host) !== 0 && isBlockedAddress(host);
    return isPrivate && !outgoing.allowPrivateAddresses ? "must be a public address" : undefined;
  } catch (error) {
    if (error instanceof OutgoingError) return error.message;
    throw error;
  }
};
