import { isIP } from "node:net";
import * as z from "zod";
import { isLoopback } from "../../../lib/platform/http/is-loopback.ts";
import { createGuardedFetch } from "../../../lib/platform/outgoing/guarded-fetch.ts";

/** Path to which the console's sign-in returns. */
export const consoleCallbackPath = "/console/sign-in";

/** Path to which the console's sign-out returns. */
export const consolePath = "/console/";

/**
 * Clients of the local issuer that need no registration: the console, programs on this machine (RFC 8252), and clients of
 * MCP, on this machine or known. Others are named by the URL of their metadata.
 */
export const clientIds = { console: "wharf-console", cli: "wharf-cli", mcp: "wharf-mcp" } as const;

/** Callbacks of known clients of MCP, as their documentation names them. ChatGPT has one for each server, too. */
const mcpCallbacks: readonly RegExp[] = [
  /^https:\/\/claude\.(ai|com)\/api\/mcp\/auth_callback$/,
  /^https:\/\/chatgpt\.com\/(connector_platform_oauth_redirect|connector\/oauth\/[\w-]+)$/,
];

const metadataTimeoutMs = 5_000;
const maxMetadataBytes = 16_384;

/** Metadata of a client, at the URL that is its id. ChatGPT prefers another authentication, and lists `none` as supported. */
const ClientMetadata = z
  .object({
    client_id: z.string(),
    redirect_uris: z.array(z.string().max(2_048)).min(1).max(20),
    token_endpoint_auth_method: z.string().default("none"),
    token_endpoint_auth_methods_supported: z.array(z.string()).default([]),
  })
  .refine(({ token_endpoint_auth_method: preferred, ...metadata }) =>
    [preferred, ...metadata.token_endpoint_auth_methods_supported].includes("none"),
  );

/**
 * Returns the callbacks that a client has registered: those of the metadata document at its id, if that is a URL
 * (draft-ietf-oauth-client-id-metadata-document), and none of another client. Its host is public, or this machine.
 */
export const findRedirects = async (
  clientId: string,
): Promise<{ registered: readonly string[] } | { error: string }> => {
  const url = parseUrl(clientId);
  if (!url) return { registered: [] };
  const isSafe = url.protocol === "https:" || isLoopback(url);
  if (!isSafe || url.pathname === "/" || url.hash !== "" || url.username !== "") {
    return { error: "The client_id must be an https URL with a path." };
  }
  try {
    const call = createGuardedFetch({
      allowPrivateAddresses: isLoopback(url),
      maxBytes: maxMetadataBytes,
    });
    const signal = AbortSignal.timeout(metadataTimeoutMs);
    const response = await call(url, { headers: { Accept: "application/json" }, signal });
    const { data } = ClientMetadata.safeParse(await response.json());
    if (response.ok && data?.client_id === clientId) return { registered: data.redirect_uris };
  } catch {
    // As a document that is none.
  }
  return {
    error:
      "The client_id must be the URL of the metadata of a client with this client_id, with redirect_uris, and with none as a token_endpoint_auth_method.",
  };
};

/** Reports whether a resource that a token is asked for is an MCP server of this product. */
export const isResource = (resource: string, origin: string): boolean => {
  const url = parseUrl(resource);
  return (
    url?.origin === origin &&
    url.href === resource &&
    /^\/v1\/tenants\/[^/]+\/mcp\/[^/]+$/.test(url.pathname) &&
    url.search === ""
  );
};

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
export const isRedirectAllowed = (
  { clientId, registered }: { clientId: string; registered: readonly string[] },
  address: string,
  origin: string,
): boolean => {
  const url = parseUrl(address);
  if (url?.username !== "" || url.password !== "" || address.includes("#")) return false;
  if (clientId === clientIds.console) return url.href === `${origin}${consoleCallbackPath}`;
  const isHere = url.protocol === "http:" && isLoopback(url);
  if (clientId === clientIds.mcp)
    return isHere || mcpCallbacks.some((known) => known.test(address));
  if (clientId === clientIds.cli) return isHere;
  return registered.some((known) => isSameCallback(known, url));
};

/** Compares a callback with a registered one; the port of this machine may be any (RFC 8252, 7.3). */
const isSameCallback = (registered: string, { href, port }: URL): boolean => {
  const url = parseUrl(registered);
  if (!url) return false;
  if (url.protocol === "http:") {
    if (!isLoopback(url)) return false;
    url.port = port;
  }
  return url.href === href;
};

/** Reports whether the browser may return to an address after the sign-out. */
export const isSignOutRedirectAllowed = (address: string, origin: string): boolean =>
  parseUrl(address)?.href === `${origin}${consolePath}`;
