/**
 * The name by which every IANA time zone database knows a zone (`europe/berlin` is `Europe/Berlin`);
 * undefined for what is none, offsets such as `+01:00` among them.
 */
export const timeZoneOf = (text: string): string | undefined => {
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};
