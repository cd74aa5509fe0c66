/** Single-word names of the IANA time zone database, without ambiguous abbreviations. */
const plainNames = new Set(
  `utc uct gmt gmt0 gmt+0 gmt-0 zulu universal greenwich est mst hst cet eet met wet est5edt cst6cdt mst7mdt
  pst8pdt cuba egypt eire gb gb-eire hongkong iceland iran israel jamaica japan kwajalein libya navajo nz
  nz-chat poland portugal prc roc rok singapore turkey w-su`.split(/\s+/),
);

/**
 * Returns the canonical IANA name of a zone (`europe/berlin` is `Europe/Berlin`); undefined for anything else,
 * such as offsets (`+01:00`) and names that only ICU has (`BST`).
 */
export const parseTimeZone = (text: string): string | undefined => {
  const name = text.toLowerCase();
  const isPlace = /^[a-z_]+\/./.test(name) && !name.startsWith("systemv/");
  if (!isPlace && !plainNames.has(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};

/** Returns a zone's offset from UTC at a time, both in milliseconds. */
export type OffsetAt = (at: number) => number;

/** Creates the function that returns a zone's offsets. Throws RangeError for an unknown zone. */
export const createOffsetLookup = (timeZone: string): OffsetAt => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  return (at) => {
    const shown = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value;
    // "GMT" for UTC, otherwise such as "GMT-03:30".
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)$/.exec(shown ?? "") ?? [];
    const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
    return sign === "-" ? -offset : offset;
  };
};
