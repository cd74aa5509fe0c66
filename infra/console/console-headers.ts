/** Origins that pages of the console use next to their own. */
export type ConsoleOrigins = {
  /** Those of the issuer of user tokens. */
  issuer: readonly string[];
  /** That of the bucket: files are uploaded to it, and images are shown from it, by signed URLs. */
  storage: string;
};

/**
 * Returns the Content-Security-Policy of the console: its own scripts and styles, its own images and stored ones, and
 * connections to itself, the issuer of user tokens and the bucket. Mantine and React Flow position elements by style
 * attributes.
 */
export const contentSecurityPolicy = ({ issuer, storage }: ConsoleOrigins): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: ${storage}`,
    "font-src 'self'",
    "manifest-src 'self'",
    `connect-src ${["'self'", ...issuer, storage].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Headers for which a response headers policy of CloudFront has no member of its own. */
export const otherConsoleHeaders: Readonly<Record<string, string>> = {
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
};

/** Returns the headers of every response of the console. */
export const consoleHeaders = (origins: ConsoleOrigins): Record<string, string> => ({
  "Content-Security-Policy": contentSecurityPolicy(origins),
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
