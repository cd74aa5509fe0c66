import { OutgoingError } from "./outgoing-error.ts";
import type { OutgoingOptions } from "./resolve-host.ts";

const maxUrlLength = 8_192;

/** A URL that may be called: https (http, too, where private addresses are allowed), and no user in it. */
export function parseUrl(text: string, base: URL | undefined, options: OutgoingOptions): URL {
  const url =
    text.length <= maxUrlLength && URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url) throw new OutgoingError("bad-url", "The URL is not valid.");
  const allowed = options.allowPrivateAddresses ? ["https:", "http:"] : ["https:"];
  if (!allowed.includes(url.protocol)) {
    throw new OutgoingError(
      "bad-url",
      `The URL must start with ${allowed.join("// or ")}//.`,
      url.host,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutgoingError("bad-url", "The URL must not hold a user or password.", url.host);
  }
  return url;
}
