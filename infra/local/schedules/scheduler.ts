import { type FiringReport, fireDue, type SendAs } from "./fire.ts";
import type { ScheduleStore } from "./store.ts";

/** Fires schedules when they are due. */
export type Scheduler = {
  /** Recomputes when the next schedule is due. Call it after a change. */
  wake: () => void;
  /** Fires everything due until a time, after the firing in progress. */
  fireUntil: (until: number) => Promise<FiringReport>;
  /** Stops and waits for the firing in progress. */
  close: () => Promise<void>;
};

type SchedulerOptions = {
  store: ScheduleStore;
  sendAs: SendAs;
  now: () => number;
  /** Whether the timer runs; if not, only `fireUntil` fires. */
  runs: boolean;
  print: (line: string) => void;
};

/** Longest sleep: the machine may be suspended or its clock changed. */
const longestSleepMs = 30_000;
const pauseAfterFaultMs = 5_000;

/** Starts the timer; missed firings come first. */
export const startScheduler = (options: SchedulerOptions): Scheduler => {
  const { store, sendAs, now, runs, print } = options;
  let firing: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const fireUntil = (until: number): Promise<FiringReport> => {
    const run = firing.then(() => fireDue(store, sendAs, { until, now: now() }));
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
      ({ failed, dropped }) => {
        for (const { name, from, to, reason } of dropped) {
          print(`schedule ${name}: firings from ${from} until ${to} were dropped (${reason})`);
        }
        if (failed > 0) sleep(pauseAfterFaultMs);
        else wake();
      },
      (error: unknown) => {
        print(`cannot fire schedules: ${String(error)}`);
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
