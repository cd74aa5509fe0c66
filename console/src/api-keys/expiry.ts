/** Converts a date, such as `2026-12-31`, to the end of that day; null for none. */
export const toExpiry = (date: string): string | null =>
  date === "" ? null : `${date}T23:59:59.000Z`;

/** Returns the date of an expiry; empty for none. */
export const toDate = (expiresAt: string | null): string => expiresAt?.slice(0, 10) ?? "";
