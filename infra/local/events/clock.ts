import { randomUUID } from "node:crypto";
import type { EventBridgeEvent } from "aws-lambda";
import type { Invoke } from "../functions/functions.ts";
import { localAccount, localRegion } from "../template/physical.ts";
import type { LocalSchedule } from "../template/schedules.ts";
import { withPatience } from "../with-patience.ts";

/** How fast a clock goes, in milliseconds. */
export type ClockPace = {
  /** From the start to the first run: early, so that work that a crash left is found soon. */
  first: number;
  /** Between runs, in place of the rule's own rate. */
  every?: number;
};

/** Starts one function at the rate of its rule. */
export type Clock = {
  /** Starts nothing more and waits for a run under way, for `patience` milliseconds at most. */
  close: (patience: number) => Promise<void>;
};

type ClockOptions = {
  schedule: LocalSchedule;
  pace: ClockPace;
  invoke: Invoke;
};

/** Runs at the pace; a run that takes longer than that skips those that it overlaps. */
export const startClock = ({ schedule, pace, invoke }: ClockOptions): Clock => {
  let last: Promise<unknown> = Promise.resolve();
  let isRunning = false;
  const run = (): void => {
    if (isRunning) return;
    isRunning = true;
    const event = JSON.stringify(scheduledEvent(schedule.ruleArn, new Date()));
    last = invoke(schedule.functionName, { event, requestId: randomUUID() }).finally(() => {
      isRunning = false;
    });
  };
  let timer = setTimeout(() => {
    timer = setInterval(run, pace.every ?? schedule.everyMilliseconds);
    run();
  }, pace.first);
  return {
    close: async (patience) => {
      clearTimeout(timer);
      await withPatience(last, patience);
    },
  };
};

/** The event of a rule with a schedule; EventBridge tells whole seconds. */
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
