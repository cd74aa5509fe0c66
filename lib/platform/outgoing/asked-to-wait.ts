const throttling = new Set([403, 429, 503]);

/**
 * For how many milliseconds an answer asks to be left alone; undefined when it does not. `Retry-After` holds
 * seconds or a date (RFC 9110, 10.2.3). GitHub throttles by 403, too, and tells the end of a spent hour by
 * `X-RateLimit-Reset`, in Unix seconds (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 * @param now Unix milliseconds
 */
export const askedToWaitMs = (
  { status, headers }: Pick<Response, "status" | "headers">,
  now: number,
): number | undefined => {
  if (!throttling.has(status)) return undefined;
  const wanted = headers.get("retry-after")?.trim();
  if (wanted) return waitOf(wanted, now);
  const reset = headers.get("x-ratelimit-reset") ?? "";
  const isSpent = headers.get("x-ratelimit-remaining") === "0" && /^\d{9,11}$/.test(reset);
  return isSpent ? Math.max(0, Number(reset) * 1_000 - now) : undefined;
};

const waitOf = (wanted: string, now: number): number | undefined => {
  if (/^\d{1,6}(\.\d{1,6})?$/.test(wanted)) return Math.ceil(Number(wanted) * 1_000);
  // What is no number has to be a date with a day's name; Date.parse takes far more than that.
  const date = /^[A-Z][a-z]{2}/.test(wanted) ? Date.parse(wanted) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
