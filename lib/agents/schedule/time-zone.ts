/** What the IANA time zone database calls zones beside `Area/Place`, without the abbreviations that mean several. */
const plainNames = new Set(
  `utc uct gmt gmt0 gmt+0 gmt-0 zulu universal greenwich est mst hst cet eet met wet est5edt cst6cdt mst7mdt
  pst8pdt cuba egypt eire gb gb-eire hongkong iceland iran israel jamaica japan kwajalein libya navajo nz
  nz-chat poland portugal prc roc rok singapore turkey w-su`.split(/\s+/),
);

/**
 * The name by which every IANA time zone database knows a zone (`europe/berlin` is `Europe/Berlin`);
 * undefined for what is none, offsets such as `+01:00` and names that ICU alone knows (`BST`) among them.
 */
export const timeZoneOf = (text: string): string | undefined => {
  const name = text.toLowerCase();
  const isPlace = /^[a-z_]+\/./.test(name) && !name.startsWith("systemv/");
  if (!isPlace && !plainNames.has(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};
