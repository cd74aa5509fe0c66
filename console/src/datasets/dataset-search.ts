/** Filters of examples in the address. */
export type DatasetSearch = { version?: number; split?: string };

/** Parses the filters of an address; others are dropped. */
export const datasetSearchOf = ({ version, split }: Record<string, unknown>): DatasetSearch => ({
  ...(Number.isInteger(version) && { version: Number(version) }),
  // A text of digits may have been read as a number.
  ...((typeof split === "string" || typeof split === "number") &&
    split !== "" && { split: String(split) }),
});
