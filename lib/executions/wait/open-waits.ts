import type { OpenWait, WaitEnd, Waits } from "../../engine/flow/waits.ts";
import { StepError } from "../../engine/step-error.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import type { StoredWait } from "../checkpoints/checkpoint-store.ts";
import type { Sleep } from "../job/job.ts";
import { maxExecutionMs } from "../lease/execution-lease.ts";

/** Maximum open waits of an execution. */
const maxOpen = 100;

/** The waits of one run of an execution. */
export type RunWaits = Waits & {
  /** Those that a step has reached and that have not ended. `isNew`: not stored by an earlier run. */
  open: Waits["open"];
  list(): readonly (StoredWait & { isNew: boolean })[];
};

/** Creates the waits of a run. `stored`: those of earlier runs, by path. */
export const createRunWaits = (
  { runtime, sleep }: { runtime: Pick<Runtime, "clock">; sleep: Sleep },
  stored: ReadonlyMap<string, StoredWait>,
): RunWaits => {
  const { clock } = runtime;
  const now = clock();
  const ended = new Map<string, WaitEnd>();
  const opened = new Map<string, number>();
  for (const { path, since, until } of stored.values()) {
    if (until <= now) ended.set(path, { since, at: until });
    else opened.set(path, until);
  }
  const open = new Map<string, StoredWait & { isNew: boolean }>();
  const reach = ({ kind, path, until }: OpenWait): StoredWait => {
    const known = stored.get(path);
    const wait = known ?? { kind, path, since: clock(), until };
    if (!open.has(path) && open.size >= maxOpen) {
      const detail = `An execution may have at most ${maxOpen} open waits.`;
      throw new StepError("execution-failed", detail);
    }
    open.set(path, { ...wait, isNew: known === undefined });
    return wait;
  };
  return {
    ended,
    opened,
    open: async (reached, over) => {
      const { path, since, until } = reach(reached);
      const left = until - clock();
      // No run is that long.
      if (left > maxExecutionMs) return new Promise(() => {});
      await sleep(left, over);
      if (over.aborted) return new Promise(() => {});
      open.delete(path);
      return { since, at: until };
    },
    list: () => [...open.values()],
  };
};
