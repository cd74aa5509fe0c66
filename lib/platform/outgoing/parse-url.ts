import { isPrivateHost, privateAddressHint } from "./blocked-address.ts";
import { OutgoingError } from "./outgoing-error.ts";
import { maxAddressLength } from "./parse-address.ts";
import type { OutgoingOptions } from "./resolve-host.ts";

/** Maximum length of a URL that is called, including path and query. */
export const maxCalledUrlLength = 8_192;

/** Parses a URL that may be called: https (or http where private addresses are allowed), without credentials. */
export const parseUrl = (
  text: string,
  base: URL | undefined,
  options: OutgoingOptions,
  maxLength = maxAddressLength,
): URL => {
  if (text.length > maxLength) {
    throw new OutgoingError("bad-url", `The URL is longer than ${maxLength} characters.`);
  }
  const url = URL.parse(text, base?.href);
  if (!url) throw new OutgoingError("bad-url", "The URL is not valid.");
  const allowed = options.allowPrivateAddresses ? ["https:", "http:"] : ["https:"];
  if (!allowed.includes(url.protocol)) {
    const isPrivate = url.protocol === "http:" && isPrivateHost(url.hostname);
    throw new OutgoingError(
      isPrivate ? "blocked-address" : "bad-url",
      `The URL must start with ${allowed.join("// or ")}//.${isPrivate ? ` ${privateAddressHint}` : ""}`,
      url.host,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutgoingError("bad-url", "The URL must not hold a user or password.", url.host);
  }
  return url;
};
