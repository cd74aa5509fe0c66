/** Parses the query of an address. Values stay texts, since an ID may look like a number. */
export const parseSearch = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query));

/** Formats the query of an address. */
export const stringifySearch = (search: Readonly<Record<string, unknown>>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size === 0 ? "" : `?${query}`;
};

/** Whether a value of an address is a day, as `YYYY-MM-DD`. */
export const isDay = (value: unknown): value is string =>
  typeof value === "string" &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value));

/** Returns a number of an address, from 0; undefined for anything else. */
export const wholeNumber = (value: unknown): number | undefined => {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
  return isNumber && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
};
