import { dollars } from "../../engine/models/sums.ts";
import type { ExperimentItem, ResultItem, StartedRun } from "./items.ts";

/** The members of a result that are counted. */
export type CountedResult = Pick<ResultItem, "status" | "cost">;

/** Counts the results of runs that were found, each of which leaves the started ones with that. */
export const countResults = (
  item: ExperimentItem,
  found: ReadonlyMap<StartedRun, CountedResult>,
): Pick<ExperimentItem, "progress" | "totalCost" | "drive"> => {
  const { progress, drive } = item;
  const dearest = { ...drive.dearest };
  let { totalCost } = item;
  for (const [{ revision }, { cost }] of found) {
    totalCost = dollars(totalCost + cost);
    dearest[String(revision)] = Math.max(cost, dearest[String(revision)] ?? 0);
  }
  const failed = found.values().filter(({ status }) => status !== "Succeeded");
  return {
    totalCost,
    progress: {
      ...progress,
      completed: progress.completed + found.size,
      failed: progress.failed + [...failed].length,
    },
    drive: { ...drive, dearest, running: drive.running.filter((run) => !found.has(run)) },
  };
};
