import type { Guard } from "../storage/guard.ts";
import type { LocalScheduler } from "../template/scheduler.ts";
import { ScheduleDefinition } from "./definition.ts";
import { createSchedulerEndpoint, type SchedulerEndpoint } from "./endpoint.ts";
import { type Scheduler, startScheduler } from "./scheduler.ts";
import { queueSender } from "./send-as.ts";
import { openScheduleStore, type StoredSchedule } from "./store.ts";

/** A schedule as a user looks at it; `due` is null for one that is disabled. Unix milliseconds. */
type ListedSchedule = Pick<
  StoredSchedule,
  "groupName" | "name" | "expression" | "timeZone" | "due"
> & { description: string | null };

/** EventBridge Scheduler on this machine. */
export type LocalSchedules = {
  answer: SchedulerEndpoint;
  list: () => ListedSchedule[];
  fireUntil: Scheduler["fireUntil"];
  /** Begins to fire. `services` is where the queues answer. */
  start: (services: string) => void;
  close: () => Promise<void>;
};

/** What the schedules of this machine are started with. */
export type SchedulesOptions = {
  scheduler: LocalScheduler;
  /** Whether schedules fire when they are due; without it, only when they are told to. */
  isClockRunning: boolean;
  scheduleFile: string;
  queueArns: readonly string[];
  guard: Guard;
  /** Of this start. */
  secret: string;
  tell: (line: string) => void;
};

/** Opens the schedules that are kept in a file; they fire when `start` was called. */
export const openSchedules = (options: SchedulesOptions): LocalSchedules => {
  const { scheduler, isClockRunning, scheduleFile, queueArns, guard, secret, tell } = options;
  const store = openScheduleStore(scheduleFile);
  let started: { clock: Scheduler; close: () => void } | undefined;
  return {
    answer: createSchedulerEndpoint({
      ...scheduler,
      store,
      queues: new Set(queueArns),
      guard,
      now: Date.now,
      changed: () => started?.clock.wake(),
    }),
    list: () => store.list().map(toListed),
    fireUntil: async (until) => (await started?.clock.fireUntil(until)) ?? { fired: 0, failed: 0 },
    start: (services) => {
      const { sendAs, close } = queueSender({ services, secret, roles: scheduler.roles, tell });
      const clock = startScheduler({ store, sendAs, now: Date.now, runs: isClockRunning, tell });
      started = { clock, close };
    },
    close: async () => {
      await started?.clock.close();
      started?.close();
      store.close();
    },
  };
};

const toListed = (schedule: StoredSchedule): ListedSchedule => {
  const { groupName, name, expression, timeZone, due, definition } = schedule;
  const { Description = null } = ScheduleDefinition.parse(JSON.parse(definition));
  return { groupName, name, description: Description, expression, timeZone, due };
};
