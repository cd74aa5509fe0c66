import { dollars } from "../../engine/models/sums.ts";
import { freeCost } from "./free-cost.ts";
import type { ExperimentItem, ResultItem, StartedRun } from "./items.ts";

/** The members of a result that are counted. */
export type CountedResult = Pick<ResultItem, "executionId" | "status" | "cost" | "priced" | "cut">;

/**
 * Counts results of runs. A counted run is no longer a started one, and releases its reservation of
 * `maxCost`. A run that was cut short stops the experiment.
 */
export const countResults = (
  item: ExperimentItem,
  found: ReadonlyMap<StartedRun, CountedResult>,
): Pick<ExperimentItem, "progress" | "totalCost" | "priced" | "drive" | "reserved" | "free"> => {
  const { progress, drive, maxCost } = item;
  const highestCost = { ...drive.highestCost };
  const reserved = { ...item.reserved };
  let { totalCost, priced } = item;
  let { stopping } = drive;
  for (const [{ revision, executionId }, result] of found) {
    totalCost = dollars(totalCost + result.cost);
    priced &&= result.priced;
    const highestYet = Math.max(
      result.cost,
      reserved[executionId] ?? 0,
      highestCost[revision] ?? 0,
    );
    // A run with a refused input does not count for the others.
    if (result.executionId !== null) highestCost[revision] = highestYet;
    delete reserved[executionId];
    if (result.cut !== null) stopping ??= { status: "CostLimit", error: result.cut };
  }
  const failed = found.values().filter(({ status }) => status !== "Succeeded");
  return {
    totalCost,
    priced,
    reserved,
    free: freeCost({ maxCost, totalCost, reserved }),
    progress: {
      ...progress,
      completed: progress.completed + found.size,
      failed: progress.failed + [...failed].length,
    },
    drive: {
      ...drive,
      highestCost,
      stopping,
      running: drive.running.filter((run) => !found.has(run)),
    },
  };
};
