import { isDay } from "../shared/search-params.ts";
import { type Measure, measureNames } from "./measures.ts";
import { type Days, type Range, ranges } from "./range.ts";
import { type Grouping, groupings } from "./use-usage.ts";

/** Filters of usage in the address. */
export type UsageSearch = Partial<Days> & {
  range?: Range;
  groupBy?: Grouping;
  measure?: Measure;
  agent?: string;
};

const findValue = <Value extends string>(
  values: readonly Value[],
  value: unknown,
): Value | undefined => values.find((candidate) => candidate === value);

/** Parses the filters of an address; others are dropped. */
export const parseUsageSearch = (search: Record<string, unknown>): UsageSearch => {
  const range = findValue(ranges, search.range);
  const groupBy = findValue(groupings, search.groupBy);
  const measure = findValue(measureNames, search.measure);
  const { from, to, agent } = search;
  return {
    ...(range && { range }),
    ...(groupBy && { groupBy }),
    ...(measure && { measure }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(typeof agent === "string" && { agent }),
  };
};
