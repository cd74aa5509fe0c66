import { formatCount } from "./format.ts";

/** Formats a count with its noun: `1 event`, `3 events`. */
export const formatPlural = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
