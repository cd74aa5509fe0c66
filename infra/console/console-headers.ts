/**
 * Returns the Content-Security-Policy of the console: its own scripts, styles and images, and connections to itself
 * and the issuer of user tokens. Mantine and React Flow position elements by style attributes.
 */
export const contentSecurityPolicy = (connections: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src ${connections.join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Headers for which a response headers policy of CloudFront has no member of its own. */
export const otherConsoleHeaders: Readonly<Record<string, string>> = {
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
};

/** Returns the headers of every response of the console; `connections` are the sources of its policy. */
export const consoleHeaders = (connections: readonly string[]): Record<string, string> => ({
  "Content-Security-Policy": contentSecurityPolicy(connections),
  ...otherConsoleHeaders,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
});

/** Content types of the console's files, by extension. */
export const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
