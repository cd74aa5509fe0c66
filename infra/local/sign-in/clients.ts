import { isIP } from "node:net";
import { isLoopback } from "../../../lib/platform/http/is-loopback.ts";

/** Path to which the console's sign-in returns. */
export const consoleCallbackPath = "/console/sign-in";

/** Path to which the console's sign-out returns. */
export const consolePath = "/console/";

/** Clients of the local issuer: the console, and programs on this machine (RFC 8252). */
export const clientIds = { console: "wharf-console", cli: "wharf-cli" } as const;

const parseUrl = (address: string): URL | undefined =>
  URL.canParse(address) ? new URL(address) : undefined;

/**
 * Returns the origin that a request was sent to; undefined for a host name that any site could have, which excludes
 * DNS rebinding.
 */
export const parseOrigin = (host: string | undefined): string | undefined => {
  const url = parseUrl(`http://${host ?? ""}`);
  if (url?.pathname !== "/" || url.username !== "") return undefined;
  const isAddress = isIP(url.hostname) === 4 || url.hostname.startsWith("[");
  return isAddress || isLoopback(url) ? url.origin : undefined;
};

/** Reports whether a client may receive its code at an address. */
export const isRedirectAllowed = (clientId: string, address: string, origin: string): boolean => {
  const url = parseUrl(address);
  if (url?.username !== "" || url.password !== "" || address.includes("#")) return false;
  if (clientId === clientIds.console) return url.href === `${origin}${consoleCallbackPath}`;
  return clientId === clientIds.cli && url.protocol === "http:" && isLoopback(url);
};

/** Reports whether the browser may return to an address after the sign-out. */
export const isSignOutRedirectAllowed = (address: string, origin: string): boolean =>
  parseUrl(address)?.href === `${origin}${consolePath}`;
