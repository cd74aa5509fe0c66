import type { ExperimentSummaryRow } from "../use-experiments.ts";

const changes = new Intl.NumberFormat("en-US", {
  maximumFractionDigits: 3,
  signDisplay: "exceptZero",
});

/** Formats a difference of scores with its sign. */
export const formatChange = (difference: number): string => changes.format(difference);

/** Formats a share as a percentage. */
export const formatShare = (share: number): string => `${Math.round(share * 1000) / 10}%`;

/** The difference of two means; it is clear if their intervals do not overlap. */
export type Change = { difference: number; isClear: boolean };

/** Returns the 95 % interval of a mean; undefined without one. */
export const toInterval = ({ interval }: ExperimentSummaryRow): [number, number] | undefined => {
  const [low, high] = interval ?? [];
  return low === undefined || high === undefined ? undefined : [low, high];
};

/** Returns the change of a mean against another one; undefined if one has no scores. */
export const compareMeans = (
  before: ExperimentSummaryRow,
  after: ExperimentSummaryRow,
): Change | undefined => {
  if (before.mean === null || after.mean === null) return undefined;
  const [from, to] = [toInterval(before), toInterval(after)];
  const isClear = from !== undefined && to !== undefined && (to[0] > from[1] || to[1] < from[0]);
  return { difference: after.mean - before.mean, isClear };
};
