import { type FiringReport, fireDue, type SendAs } from "./fire.ts";
import type { ScheduleStore } from "./store.ts";

/** The clock that fires the schedules. */
export type Scheduler = {
  /** Looks again when the next schedule is due: call it when that may have changed. */
  wake: () => void;
  /** Fires everything due until then, after what is being fired. */
  fireUntil: (until: number) => Promise<FiringReport>;
  /** Fires no more and waits for what is being fired. */
  close: () => Promise<void>;
};

type SchedulerOptions = {
  store: ScheduleStore;
  sendAs: SendAs;
  now: () => number;
  /** Without it nothing is fired but by `fireUntil`. */
  runs: boolean;
  tell: (line: string) => void;
};

/** Looks at least so often, since a machine may sleep, or its clock be set. */
const longestSleepMs = 30_000;
const pauseAfterFaultMs = 5_000;

/** Starts the clock; it first fires what was missed while nothing ran. */
export const startScheduler = (options: SchedulerOptions): Scheduler => {
  const { store, sendAs, now, runs, tell } = options;
  let firing: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const fireUntil = (until: number): Promise<FiringReport> => {
    const run = firing.then(() => fireDue(store, sendAs, until));
    firing = run.catch(() => undefined);
    return run;
  };

  const sleep = (milliseconds: number): void => {
    clearTimeout(timer);
    if (runs && !closed) timer = setTimeout(tick, Math.min(longestSleepMs, milliseconds));
  };
  const wake = (): void => sleep(Math.max(0, (store.nextDue() ?? Infinity) - now()));
  const tick = (): void => {
    fireUntil(now()).then(
      ({ failed }) => (failed > 0 ? sleep(pauseAfterFaultMs) : wake()),
      (error: unknown) => {
        tell(`schedules cannot be fired: ${String(error)}`);
        sleep(pauseAfterFaultMs);
      },
    );
  };

  wake();
  return {
    wake,
    fireUntil,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await firing;
    },
  };
};
