/** Schemes of URLs that name a host without `//`. */
const hostSchemes = new Set(["http:", "https:", "ws:", "wss:", "ftp:"]);

/**
 * Returns the destination of a URL: scheme, host and path without a trailing slash; undefined without a host.
 * Credentials for one destination are not sent to another.
 */
export const parseDestination = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.host === "" && !hostSchemes.has(url.protocol))) return undefined;
  return `${url.protocol}//${url.host}${withoutSlash(url.pathname)}`;
};

/** Returns whether a URL is at or below a base: same origin, and no `..` in the rest of its path. */
export const isBelow = (url: URL, base: URL): boolean => {
  if (url.protocol !== base.protocol || url.host !== base.host) return false;
  const root = withoutSlash(base.pathname);
  if (url.pathname !== root && !url.pathname.startsWith(`${root}/`)) return false;
  return !decoded(url.pathname.slice(root.length)).split(/[/\\]/).includes("..");
};

/** Decodes a path like a server that decodes before it splits. */
const decoded = (path: string): string =>
  path.replaceAll(/%2e/gi, ".").replaceAll(/%2f/gi, "/").replaceAll(/%5c/gi, "\\");

const withoutSlash = (path: string): string => (path.endsWith("/") ? path.slice(0, -1) : path);
