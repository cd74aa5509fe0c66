import type { Sleep } from "../../lib/executions/job/job.ts";

type Timer = { at: number; fire: () => void };

/** Creates timers that fire when a test advances the time, or when their signal is aborted. */
export const manualTimers = (clock: () => number, advance: (ms: number) => void) => {
  const timers = new Set<Timer>();
  const sleep: Sleep = (ms, signal) =>
    new Promise((resolve) => {
      const fire = () => {
        timers.delete(timer);
        signal.removeEventListener("abort", fire);
        resolve();
      };
      const timer: Timer = { at: clock() + ms, fire };
      if (signal.aborted) return fire();
      signal.addEventListener("abort", fire, { once: true });
      timers.add(timer);
    });
  return {
    sleep,
    /** Number of pending timers. */
    waiting: () => timers.size,
    /** Advances the time and fires the timers in order. */
    pass: (ms: number) => {
      const end = clock() + ms;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        advance(Math.max(0, due.at - clock()));
        due.fire();
      }
      advance(end - clock());
    },
  };
};

/** Creates a promise for a test to resolve. */
export const gate = () => Promise.withResolvers<void>();
