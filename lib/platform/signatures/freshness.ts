const defaultToleranceSeconds = 300;

/** Whether a moment is not further from now than the tolerance, past or future. Unix milliseconds. */
export const isFresh = (
  moment: number | undefined,
  now: number,
  toleranceSeconds = defaultToleranceSeconds,
): boolean => moment !== undefined && Math.abs(now - moment) <= toleranceSeconds * 1_000;

/** Unix milliseconds of a text of Unix seconds; undefined for any other text. */
export const readUnixSeconds = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : undefined;

/** Unix milliseconds of an ISO 8601 moment in UTC; undefined for any other text. */
export const readIsoMoment = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
};
