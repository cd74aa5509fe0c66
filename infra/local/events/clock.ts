import { randomUUID } from "node:crypto";
import type { EventBridgeEvent } from "aws-lambda";
import type { Invoke } from "../functions/functions.ts";
import { localAccount, localRegion } from "../template/physical.ts";
import type { LocalSchedule } from "../template/schedules.ts";
import { waitAtMost } from "../wait-at-most.ts";

/** The pace of a clock, in milliseconds. */
export type ClockPace = {
  /** Delay of the first run. Short, so that work left by a crash is found soon. */
  first: number;
  /** Further delay of the first run of each rule after the one before it. */
  apart?: number;
  /** Interval between runs; by default the rate of the rule. */
  every?: number;
};

/** Invokes one function at the rate of its rule. */
export type Clock = {
  /** Stops, then waits up to `gracePeriod` milliseconds for a run in progress. */
  close: (gracePeriod: number) => Promise<void>;
};

type ClockOptions = {
  schedule: LocalSchedule;
  pace: Omit<ClockPace, "apart">;
  invoke: Invoke;
  /** Ends the function's thread. */
  release: (functionName: string) => void;
};

/** Interval between runs from which a thread is not worth its memory, in milliseconds. */
const longInterval = 30_000;

/** Starts a clock. A run is skipped while the previous one is in progress. */
export const startClock = ({ schedule, pace, invoke, release }: ClockOptions): Clock => {
  const every = pace.every ?? schedule.everyMilliseconds;
  let last: Promise<unknown> = Promise.resolve();
  let isRunning = false;
  const run = (): void => {
    if (isRunning) return;
    isRunning = true;
    const event = JSON.stringify(scheduledEvent(schedule.ruleArn, new Date()));
    last = invoke(schedule.functionName, { event, requestId: randomUUID() }).finally(() => {
      isRunning = false;
      if (every >= longInterval) release(schedule.functionName);
    });
  };
  let timer = setTimeout(() => {
    timer = setInterval(run, every);
    run();
  }, pace.first);
  return {
    close: async (gracePeriod) => {
      clearTimeout(timer);
      await waitAtMost(last, gracePeriod);
    },
  };
};

/** Builds the event of a scheduled rule. EventBridge times have no fraction of a second. */
const scheduledEvent = (
  ruleArn: string,
  time: Date,
): EventBridgeEvent<"Scheduled Event", Record<string, never>> => ({
  version: "0",
  id: randomUUID(),
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: localAccount,
  time: time.toISOString().replace(/\.\d+/, ""),
  region: localRegion,
  resources: [ruleArn],
  detail: {},
});
