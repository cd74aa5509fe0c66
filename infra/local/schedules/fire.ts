import { setTimeout as pause } from "node:timers/promises";
import { scheduledTimePlaceholder } from "../../../lib/agents/schedule/schedules.ts";
import { parseTiming, ScheduleDefinition } from "./definition.ts";
import type { Fired, ScheduleStore, StoredSchedule } from "./store.ts";

/** Sends messages to a queue in a role; returns for each whether it was accepted. */
export type SendAs = (
  target: { roleArn: string; queueArn: string },
  messages: readonly string[],
) => Promise<boolean[]>;

/** Firings of a schedule that were not sent: those due from `from` until before `to`. Times in ISO 8601. */
export type DroppedFirings = { name: string; from: string; to: string; reason: string };

/** The number of messages sent, of those that failed, and the firings that were dropped. */
export type FiringReport = { fired: number; failed: number; dropped: DroppedFirings[] };

/** Age from which a missed firing is dropped: the maximum event age of EventBridge Scheduler. */
const longestMissedMs = 86_400_000;
const tooOld = "missed by more than 24 hours";
const batchSize = 500;

/**
 * Fires every occurrence due until `until`, which may be in the future. Drops what was missed more than a day before
 * `now`. A firing is recorded after the queue has accepted it: a crash in between sends it again.
 */
export const fireDue = async (
  store: ScheduleStore,
  sendAs: SendAs,
  { until, now }: { until: number; now: number },
): Promise<FiringReport> => {
  let fired = 0;
  const dropped: DroppedFirings[] = [];
  const oldest = Math.min(until, now) - longestMissedMs;
  for (;;) {
    const due = store.due(until, batchSize).map((schedule) => plan(schedule, { until, oldest }));
    if (due.length === 0) return { fired, failed: 0, dropped };
    dropped.push(...due.flatMap((firing) => firing.dropped ?? []));
    const groups = Map.groupBy(due, ({ target }) => (target ? JSON.stringify(target) : ""));
    const accepted: Fired[] = [];
    for (const [, members = []] of groups) {
      const [first] = members;
      const sent = first?.target
        ? await sendAs(
            first.target,
            members.map(({ message }) => message),
          )
        : members.map(() => true);
      const out = members.filter((_, at) => sent[at]);
      accepted.push(...out.map(({ next }) => next));
      fired += out.filter(({ target }) => target).length;
    }
    store.fired(accepted);
    const failed = due.length - accepted.length;
    if (failed > 0) return { fired, failed, dropped };
    await pause(0);
  }
};

type Planned = {
  next: Fired;
  dropped: DroppedFirings | undefined;
  /** Undefined when nothing is left to fire. */
  target: { roleArn: string; queueArn: string } | undefined;
  message: string;
};

const plan = (
  schedule: StoredSchedule,
  { until, oldest }: { until: number; oldest: number },
): Planned => {
  const definition = ScheduleDefinition.parse(JSON.parse(schedule.definition));
  const timing = parseTiming(definition);
  if ("error" in timing) throw new Error(timing.error);
  const { groupName, name, version, due } = schedule;
  const missed = due ?? until;
  // A single time is fired however late: nothing would fire after it.
  const first = timing.isOnce ? missed : timing.next(Math.max(missed - 1, oldest));
  const scheduled = first !== undefined && first <= until ? first : undefined;
  const { Arn, RoleArn, Input = "" } = definition.Target;
  const nextDue = timing.isOnce ? undefined : timing.next(scheduled ?? until);
  const isOver = nextDue === undefined && definition.ActionAfterCompletion === "DELETE";
  return {
    next: { groupName, name, version, due: nextDue ?? null, isOver },
    dropped:
      first !== undefined && first > missed
        ? { name, from: isoSeconds(missed), to: isoSeconds(first), reason: tooOld }
        : undefined,
    target: scheduled === undefined ? undefined : { roleArn: RoleArn, queueArn: Arn },
    message:
      scheduled === undefined
        ? ""
        : Input.replaceAll(scheduledTimePlaceholder, isoSeconds(scheduled)),
  };
};

/** Formats a time as EventBridge Scheduler does, without fractions of a second. */
const isoSeconds = (time: number): string => new Date(time).toISOString().replace(/\.\d+/, "");
