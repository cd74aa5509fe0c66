/** Schemes after which a URL needs no `//` to name a host. */
const hostSchemes = new Set(["http:", "https:", "ws:", "wss:", "ftp:"]);

/**
 * Returns where a URL leads: its scheme, host and path, without a slash at the end; undefined for text that
 * names no host. Credentials that were given for one destination are not sent to another.
 */
export const destinationOf = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.host === "" && !hostSchemes.has(url.protocol))) return undefined;
  return `${url.protocol}//${url.host}${withoutSlash(url.pathname)}`;
};

/** Checks that a URL, as it is sent, is at or below a base: same origin, and no part of its path leads out. */
export const isBelow = (url: URL, base: URL): boolean => {
  if (url.protocol !== base.protocol || url.host !== base.host) return false;
  const root = withoutSlash(base.pathname);
  if (url.pathname !== root && !url.pathname.startsWith(`${root}/`)) return false;
  return !decoded(url.pathname.slice(root.length)).split(/[/\\]/).includes("..");
};

/** As a server may read it that decodes a path before it splits it. */
const decoded = (path: string): string =>
  path.replaceAll(/%2e/gi, ".").replaceAll(/%2f/gi, "/").replaceAll(/%5c/gi, "\\");

const withoutSlash = (path: string): string => (path.endsWith("/") ? path.slice(0, -1) : path);
