/**
 * Headers of every response of the API, of the gateway's own errors too: no cache keeps it, no browser guesses its type,
 * frames it or sends its address on. Values have no quotes, which a gateway response encloses them in.
 */
export const securityHeaders = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
} as const;

/** Policy of a response that is no page: a browser that shows it loads and runs nothing. */
export const bareContentPolicy = "default-src 'none'; frame-ancestors 'none'";
