import type { Database } from "../../platform/db/database.ts";
import { dayOf } from "../../platform/db/keys.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { getAgent } from "../agent/store.ts";
import type { ExecutionItem } from "../execution/items.ts";
import { getRevisionItem } from "../revision/store.ts";
import { mapMeasures, sumMeasures } from "./measures.ts";
import { listCounted, type ReadAgent, readUndated, writeMove } from "./migration-store.ts";
import { type DayAndTrigger, type KnownUsage, planMoves } from "./plan-moves.ts";
import { readAtOnce } from "./read-at-once.ts";
import { listUsage } from "./store.ts";
import { addUnits, noUnits, subtractUnits, toUnits, type Units } from "./units.ts";

/** Progress of a migration: execution records that were read, or a revision whose counters were moved. */
export type MigrationProgress =
  | { type: "read"; executions: number }
  | { type: "moved"; revision: number; counters: number; days: number };

/** Thrown when counters keep changing: instances of an earlier version still count. */
export class UsageChangesError extends Error {
  override name = "UsageChangesError";
}

/** Usage of a revision by day and trigger type, as `day#trigger`. */
type ByDay = Map<string, KnownUsage>;

const progressEach = 10_000;
const attempts = 20;
const maxPauseMs = 2_000;

/**
 * Moves an agent's counters of earlier versions, which have no days, to counters of days. The executions' records tell
 * the days and trigger types. Every sum per revision and model stays the same. Safe to interrupt, to repeat and to run
 * several times at once. Throws UsageChangesError while other writers change the counters.
 */
export async function* migrateUsage(
  { db, clock }: { db: Database; clock: Clock },
  tenantId: TenantId,
  agentId: string,
): AsyncGenerator<MigrationProgress> {
  const found = await getAgent(db, tenantId, agentId);
  if (!found) return;
  const agent: ReadAgent = { tenantId, id: agentId, createdAt: found.createdAt };
  const revisions = [...(await readUndated(db, agent)).keys()];
  if (revisions.length === 0) return;
  const since = new Map<number, number>();
  for (const revision of revisions) {
    const item = await getRevisionItem(db, tenantId, agentId, revision);
    since.set(revision, item?.createdAt ?? found.createdAt);
  }
  const used = new Map<number, ByDay>();
  let executions = 0;
  for await (const execution of listCounted(db, agent, found.executionShards.at(-1)?.count ?? 1)) {
    const from = since.get(execution.agentRevision);
    if (from !== undefined) addExecution(used, execution, dayOf(from));
    executions += 1;
    if (executions % progressEach === 0) yield { type: "read", executions };
  }
  for (const [revision, createdAt] of since) {
    const byDay = used.get(revision) ?? new Map();
    const moved = await moveRevision({ db, clock }, agent, { revision, createdAt }, byDay);
    yield { type: "moved", revision, ...moved };
  }
}

const moveRevision = async (
  { db, clock }: { db: Database; clock: Clock },
  agent: ReadAgent,
  { revision, createdAt: since }: { revision: number; createdAt: number },
  used: ByDay,
): Promise<{ counters: number; days: number }> => {
  const error = () =>
    new UsageChangesError(`The counters of revision ${revision} of "${agent.id}" keep changing.`);
  let counters = 0;
  const days = new Set<string>();
  return retryOnConflict({ attempts, maxPauseMs, error }, async () => {
    // A deleted agent has none.
    const undated = (await readUndated(db, agent, revision)).get(revision) ?? [];
    if (undated.length === 0) return { counters, days: days.size };
    const counted = await readCounted(db, agent, revision, { since, now: clock() });
    const known = subtractCounted(used.values(), counted, dayOf(since));
    for (const move of planMoves(undated, known)) {
      if ((await writeMove(db, agent, revision, move)) === "changed") return "changed";
      counters += move.from.filter(({ left }) => left === undefined).length;
      for (const { day } of move.to) days.add(day);
    }
    return { counters, days: days.size };
  });
};

const keyOf = ({ day, trigger }: DayAndTrigger): string => `${day}#${trigger}`;

/** Adds an execution. The usage of a revision is read from the day of its creation on, `first`. */
const addExecution = (used: Map<number, ByDay>, execution: ExecutionItem, first: string): void => {
  const { agentRevision, startTime, status, trigger } = execution;
  const byDay: ByDay = used.get(agentRevision) ?? new Map();
  used.set(agentRevision, byDay);
  const started = dayOf(startTime);
  const place = { day: started < first ? first : started, trigger: trigger.type };
  const sum = byDay.get(keyOf(place)) ?? { ...place, units: noUnits, callers: 0n };
  const isFailed = status === "Failed" || status === "TimedOut";
  const units = toUnits({ ...execution, executionCount: 1, failedCount: isFailed ? 1 : 0 });
  const { inputTokens, outputTokens, cachedTokens, totalCost } = execution;
  const isCaller = inputTokens + outputTokens + cachedTokens + totalCost > 0;
  byDay.set(keyOf(place), {
    ...place,
    units: addUnits(sum.units, units),
    callers: sum.callers + (isCaller ? 1n : 0n),
  });
};

/** Reads what the counters of days have of a revision. */
const readCounted = async (
  db: Database,
  { tenantId, id: agentId }: ReadAgent,
  revision: number,
  { since, now }: { since: number; now: number },
): Promise<Map<string, Units>> => {
  const counted = new Map<string, Units>();
  const days = { from: dayOf(since), to: dayOf(now), agentId };
  await readAtOnce(listUsage(db, tenantId, days), (counter) => {
    if (counter.revision !== revision || counter.isOfDeleted) return;
    const units = toUnits({ ...sumMeasures(counter.models), ...counter.executions });
    counted.set(keyOf(counter), addUnits(counted.get(keyOf(counter)) ?? noUnits, units));
  });
  return counted;
};

/**
 * Returns the executions that are not counted by day, in order of day and trigger type. Without any record, usage is
 * that of the day of the revision's creation and trigger type 0.
 */
const subtractCounted = (
  used: Iterable<KnownUsage>,
  counted: ReadonlyMap<string, Units>,
  since: string,
): KnownUsage[] => {
  const known = [...used].map((each) => {
    const done = counted.get(keyOf(each)) ?? noUnits;
    const left = subtractUnits(each.units, done);
    return {
      ...each,
      units: mapMeasures((name) => positive(left[name])),
      callers: positive(each.callers - done.executionCount),
    };
  });
  if (known.length === 0) return [{ day: since, trigger: 0, units: noUnits, callers: 0n }];
  return known.toSorted((one, other) =>
    one.day === other.day ? one.trigger - other.trigger : one.day < other.day ? -1 : 1,
  );
};

const positive = (amount: bigint): bigint => (amount < 0n ? 0n : amount);
