const throttling = new Set([403, 429, 503, 529]);

/**
 * Returns the milliseconds after which a throttled request may be retried; undefined when the
 * response does not contain them. `Retry-After` holds seconds or a date (RFC 9110, 10.2.3). GitHub
 * also throttles with 403 and gives the end of the window in `X-RateLimit-Reset`, in Unix seconds
 * (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 * @param now Unix milliseconds
 */
export const retryAfterMs = (
  { status, headers }: Pick<Response, "status" | "headers">,
  now: number,
): number | undefined => {
  if (!throttling.has(status)) return undefined;
  const retryAfter = headers.get("retry-after")?.trim();
  if (retryAfter) return parseRetryAfter(retryAfter, now);
  const reset = headers.get("x-ratelimit-reset") ?? "";
  const isExhausted = headers.get("x-ratelimit-remaining") === "0" && /^\d{9,11}$/.test(reset);
  return isExhausted ? Math.max(0, Number(reset) * 1_000 - now) : undefined;
};

const parseRetryAfter = (value: string, now: number): number | undefined => {
  if (/^\d{1,6}(\.\d{1,6})?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  // Date.parse accepts more than HTTP dates, which begin with the name of a day.
  const date = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
