import { wholeNumber } from "../shared/search-params.ts";

/** Filters of examples in the address. */
export type DatasetSearch = { version?: number; split?: string };

/** Parses the filters of an address; others are dropped. */
export const parseDatasetSearch = (search: Record<string, unknown>): DatasetSearch => {
  const version = wholeNumber(search.version);
  const { split } = search;
  return {
    ...(version !== undefined && { version }),
    ...(typeof split === "string" && split !== "" && { split }),
  };
};
