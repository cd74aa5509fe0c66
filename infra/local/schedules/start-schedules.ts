import type { Guard } from "../access/guard.ts";
import type { LocalScheduler } from "../template/scheduler.ts";
import { ScheduleDefinition } from "./definition.ts";
import { createSchedulerEndpoint, type SchedulerEndpoint } from "./endpoint.ts";
import { queueSender } from "./queue-sender.ts";
import { type Scheduler, startScheduler } from "./scheduler.ts";
import { openScheduleStore, type StoredSchedule } from "./store.ts";

/** A schedule in a list; `due` is in Unix milliseconds, null when disabled. */
type ListedSchedule = Pick<
  StoredSchedule,
  "groupName" | "name" | "expression" | "timeZone" | "due"
> & { description: string | null };

/** The local EventBridge Scheduler. */
export type LocalSchedules = {
  handle: SchedulerEndpoint;
  list: () => ListedSchedule[];
  fireUntil: Scheduler["fireUntil"];
  /** Starts firing; `services` is the base URL of the queues. */
  start: (services: string) => void;
  close: () => Promise<void>;
};

/** Options of the local EventBridge Scheduler. */
export type SchedulesOptions = {
  scheduler: LocalScheduler;
  /** Whether schedules fire when due; if not, only `fireUntil` fires. */
  isClockRunning: boolean;
  scheduleFile: string;
  queueArns: readonly string[];
  guard: Guard;
  /** Derives session tokens. */
  secret: string;
  print: (line: string) => void;
};

/** Opens the schedules of a file; nothing fires before `start`. */
export const openSchedules = (options: SchedulesOptions): LocalSchedules => {
  const { scheduler, isClockRunning, scheduleFile, queueArns, guard, secret, print } = options;
  const store = openScheduleStore(scheduleFile);
  let started: { clock: Scheduler; close: () => void } | undefined;
  return {
    handle: createSchedulerEndpoint({
      ...scheduler,
      store,
      queues: new Set(queueArns),
      guard,
      now: Date.now,
      changed: () => started?.clock.wake(),
    }),
    list: () => store.list().map(toListed),
    fireUntil: async (until) =>
      (await started?.clock.fireUntil(until)) ?? { fired: 0, failed: 0, dropped: [] },
    start: (services) => {
      const { sendAs, close } = queueSender({ services, secret, roles: scheduler.roles, print });
      const clock = startScheduler({ store, sendAs, now: Date.now, runs: isClockRunning, print });
      started = { clock, close };
    },
    close: async () => {
      await started?.clock.close();
      await started?.close();
      store.close();
    },
  };
};

const toListed = (schedule: StoredSchedule): ListedSchedule => {
  const { groupName, name, expression, timeZone, due, definition } = schedule;
  const { Description = null } = ScheduleDefinition.parse(JSON.parse(definition));
  return { groupName, name, description: Description, expression, timeZone, due };
};
