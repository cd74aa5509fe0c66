import type { ExecutionDeps } from "../../executions/job/job.ts";
import { readExamples } from "../dataset/read-examples.ts";
import type { Example } from "../dataset/schemas.ts";
import type { ExperimentConfig, ExperimentItem, StartedRun } from "./items.ts";
import type { ExperimentKey } from "./keys.ts";

/** A worker that drives an experiment, for as long as it holds its lease. */
export type Driver = {
  deps: ExecutionDeps;
  place: ExperimentKey;
  config: ExperimentConfig;
  worker: string;
  /** Returns the example behind an id, or the first; undefined when there is none. */
  nextExample: (after: string | null) => Promise<Example | undefined>;
  /** When the function times out, Unix milliseconds. */
  deadline: number;
};

/** A run to start, with its example, and its reservation of `maxCost`; undefined without one. */
export type PlannedRun = { run: StartedRun; example: Example; allowance: number | undefined };

/** Lease of a driver, renewed with every write. */
export const driverLeaseMs = 60_000;

/** Time until a driver must have started, in milliseconds; then its message is sent again. */
export const driverWaitMs = 5 * 60_000;

const pageSize = 50;

/** Creates a reader of examples in order, which holds a page of them. */
export const exampleReader = (
  deps: Pick<ExecutionDeps, "db" | "objects">,
  {
    place: { tenantId },
    config: { dataset },
    item: { split },
  }: { place: ExperimentKey; config: ExperimentConfig; item: Pick<ExperimentItem, "split"> },
): Driver["nextExample"] => {
  let page: { from: string | null; items: Example[]; isLast: boolean } | undefined;
  return async (after) => {
    if (page) {
      const known = page.items.findIndex(({ id }) => id === after);
      const at = after === page.from ? 0 : known + 1;
      const isWithin = after === page.from || known >= 0;
      if (isWithin && (at < page.items.length || page.isLast)) return page.items[at];
    }
    const reading = { split: split ?? undefined, after, limit: pageSize };
    const read = await readExamples(deps, { tenantId, pinned: dataset, reading });
    page = { from: after, items: read.items, isLast: read.after === null };
    return page.items[0];
  };
};
