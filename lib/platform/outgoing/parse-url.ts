import { isIP } from "node:net";
import { isBlockedAddress } from "./blocked-address.ts";
import { OutgoingError } from "./outgoing-error.ts";
import { maxAddressLength } from "./parse-address.ts";
import type { OutgoingOptions } from "./resolve-host.ts";

/** Maximum length of a URL that is called, including path and query. */
export const maxCalledUrlLength = 8_192;

/** Parses a URL that may be called: https (or http where private addresses are allowed), without credentials. */
export function parseUrl(
  text: string,
  base: URL | undefined,
  options: OutgoingOptions,
  maxLength = maxAddressLength,
): URL {
  if (text.length > maxLength) {
    throw new OutgoingError("bad-url", `The URL is longer than ${maxLength} characters.`);
  }
  const url = URL.parse(text, base?.href);
  if (!url) throw new OutgoingError("bad-url", "The URL is not valid.");
  const allowed = options.allowPrivateAddresses ? ["https:", "http:"] : ["https:"];
  if (!allowed.includes(url.protocol)) {
    throw new OutgoingError(
      "bad-url",
      `The URL must start with ${allowed.join("// or ")}//.${localHint(url, options)}`,
      url.host,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutgoingError("bad-url", "The URL must not hold a user or password.", url.host);
  }
  return url;
}

/** Names the setting that allows a URL of this machine or its network. */
function localHint({ hostname, protocol }: URL, options: OutgoingOptions): string {
  const host = hostname.replace(/^\[|\]$/g, "");
  const isLocal = isIP(host) === 0 ? /(?:^|\.)localhost$/.test(host) : isBlockedAddress(host);
  return isLocal && protocol === "http:" && !options.allowPrivateAddresses
    ? " For local development, ALLOW_PRIVATE_ADDRESSES=true allows http and private addresses."
    : "";
}
