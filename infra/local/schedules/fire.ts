import { setTimeout as pause } from "node:timers/promises";
import { nextOccurrence } from "../../../lib/agents/schedule/occurrences.ts";
import { scheduledTimeMark } from "../../../lib/agents/schedule/schedules.ts";
import { ScheduleDefinition, timingOf } from "./definition.ts";
import type { Fired, ScheduleStore, StoredSchedule } from "./store.ts";

/** Puts messages on a queue in a role; gives, for each, whether the queue has it. */
export type SendAs = (
  target: { roleArn: string; queueArn: string },
  messages: readonly string[],
) => Promise<boolean[]>;

/** What came of firing: how many went out, and whether some could not. */
export type FiringReport = { fired: number; failed: number };

/** As long as EventBridge Scheduler tries a firing: what was missed longer ago is not made up for. */
const longestMissedMs = 86_400_000;
const atOnce = 500;

/**
 * Fires what is due until `until`. A firing is noted when its queue has it, never before: after a death in
 * between it goes out once more. What was missed while nobody was here goes out as well, one after the
 * other, if it is not older than a day.
 */
export const fireDue = async (
  store: ScheduleStore,
  sendAs: SendAs,
  until: number,
): Promise<FiringReport> => {
  let fired = 0;
  for (;;) {
    const due = store.due(until, atOnce).map((schedule) => plan(schedule, until));
    if (due.length === 0) return { fired, failed: 0 };
    const groups = Map.groupBy(due, ({ target }) => (target ? JSON.stringify(target) : ""));
    const done: Fired[] = [];
    for (const [, members = []] of groups) {
      const [first] = members;
      const sent = first?.target
        ? await sendAs(
            first.target,
            members.map(({ message }) => message),
          )
        : members.map(() => true);
      const out = members.filter((_, at) => sent[at]);
      done.push(...out.map(({ next }) => next));
      fired += out.filter(({ target }) => target).length;
    }
    store.fired(done);
    const failed = due.length - done.length;
    if (failed > 0) return { fired, failed };
    await pause(0);
  }
};

type Planned = {
  next: Fired;
  /** Undefined when what was missed is too old. */
  target: { roleArn: string; queueArn: string } | undefined;
  message: string;
};

const plan = (schedule: StoredSchedule, until: number): Planned => {
  const definition = ScheduleDefinition.parse(JSON.parse(schedule.definition));
  const timing = timingOf(definition);
  if ("wrong" in timing) throw new Error(timing.wrong);
  const { cron, timeZone } = timing;
  const { groupName, name, version, due } = schedule;
  const after = Math.max((due ?? until) - 1, until - longestMissedMs);
  const first = nextOccurrence(cron, timeZone, after);
  const scheduled = first <= until ? first : undefined;
  const { Arn, RoleArn, Input = "" } = definition.Target;
  return {
    next: { groupName, name, version, due: nextOccurrence(cron, timeZone, scheduled ?? until) },
    target: scheduled === undefined ? undefined : { roleArn: RoleArn, queueArn: Arn },
    message:
      scheduled === undefined ? "" : Input.replaceAll(scheduledTimeMark, isoSeconds(scheduled)),
  };
};

/** EventBridge Scheduler tells whole seconds. */
const isoSeconds = (time: number): string => new Date(time).toISOString().replace(/\.\d+/, "");
