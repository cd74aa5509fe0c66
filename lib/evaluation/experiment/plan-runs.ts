import { createHash } from "node:crypto";
import { type AgentItem, getAgent } from "../../agents/agent/store.ts";
import { budgetDetail, checkBudget } from "../../agents/budget/check-budget.ts";
import { newPlace } from "../../agents/execution/spread.ts";
import { dollars } from "../../engine/models/sums.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import type { Driver, PlannedRun } from "./driver.ts";
import type { Drive, ExperimentItem, StartedRun } from "./items.ts";
import type { RunPlace } from "./keys.ts";

/** The state of an experiment that decides what it starts. */
type Spending = Pick<ExperimentItem, "maxCost" | "totalCost"> & {
  drive: Pick<Drive, "running" | "dearest">;
};

/**
 * Decides whether a run of a revision may start: each run that is in progress, and this one, is expected to cost as
 * much as the dearest of its revision so far. The first run of a revision runs alone, since its cost is not known.
 * "wait": not before others have ended.
 */
export const mayStart = (
  { maxCost, totalCost, drive: { running, dearest } }: Spending,
  revision: number,
): "start" | "wait" | "spent" => {
  if (maxCost === null) return "start";
  const expected = (of: number): number => dearest[String(of)] ?? 0;
  const reserved = running.reduce((sum, run) => sum + expected(run.revision), 0);
  const isKnown = dearest[String(revision)] !== undefined;
  const isFirst = !isKnown && !running.some((run) => run.revision === revision);
  const committed = dollars(totalCost + reserved);
  const fits = isKnown ? dollars(committed + expected(revision)) <= maxCost : committed < maxCost;
  if (fits && (isKnown || isFirst)) return "start";
  return running.length > 0 ? "wait" : "spent";
};

const costLimit = (maxCost: number | null) => ({
  status: "CostLimit" as const,
  error: `The next run may not fit in maxCost, ${maxCost} USD.`,
});

/** Runs to start and the drive that has started them; `agent`: whose runs they are. */
export type Plan = { drive: Drive; starts: PlannedRun[]; agent: AgentItem | undefined };

/**
 * Chooses the next runs, as many as may run at the same time, and returns the drive that has started them. Reads the
 * agent after the time of their ids, see `newPlace`.
 */
export const planRuns = async (driver: Driver, item: ExperimentItem): Promise<Plan> => {
  const { drive } = item;
  const nothing = { drive, starts: [], agent: undefined };
  const isFull = drive.running.length >= item.concurrency;
  if (item.status === "Cancelled" || drive.stopping || drive.cursor.isDone || isFull)
    return nothing;
  const { deps, place } = driver;
  const at = deps.runtime.clock();
  const agent = await getAgent(deps.db, place.tenantId, item.agentId);
  if (!agent) return stop(drive, { status: "Failed", error: "The agent was deleted." });
  const { clock } = deps.runtime;
  const budget = await checkBudget({ ...deps, clock }, place.tenantId, agent);
  if (!budget.ok) {
    return stop(drive, { status: "CostLimit", error: budgetDetail(budget.exceeded) });
  }
  return choose(driver, item, { at, agent });
};

const stop = (drive: Drive, stopping: NonNullable<Drive["stopping"]>): Plan => ({
  drive: { ...drive, stopping },
  starts: [],
  agent: undefined,
});

const choose = async (
  { place: { experimentId }, nextExample }: Driver,
  item: ExperimentItem,
  { at, agent }: { at: number; agent: AgentItem },
): Promise<Plan> => {
  const starts: PlannedRun[] = [];
  let { drive } = item;
  while (drive.running.length < item.concurrency) {
    const { after, index } = drive.cursor;
    const example = await nextExample(after);
    if (!example) {
      drive = { ...drive, cursor: { ...drive.cursor, isDone: true } };
      break;
    }
    const run = runAt(item, example.id, index);
    const decision = mayStart({ ...item, drive }, run.revision);
    if (decision === "spent") drive = { ...drive, stopping: costLimit(item.maxCost) };
    if (decision !== "start") break;
    const { id: executionId, shard } = newPlace(agent, idOf(experimentId, run, at));
    const started: StartedRun = { ...run, executionId, shard };
    starts.push({ run: started, example });
    const isLast = index + 1 === item.revisions.length * item.repetitions;
    drive = {
      ...drive,
      running: [...drive.running, started],
      cursor: isLast
        ? { after: example.id, index: 0, isDone: false }
        : { after, index: index + 1, isDone: false },
    };
  }
  return { drive, starts, agent };
};

/** The runs of an example: all repetitions of the first revision, then those of the next. */
const runAt = (
  { revisions, repetitions }: ExperimentItem,
  exampleId: string,
  index: number,
): RunPlace => ({
  revision: revisions[Math.floor(index / repetitions)] ?? 0,
  exampleId,
  repetition: (index % repetitions) + 1,
});

const idOf = (experimentId: string, run: RunPlace, at: number): string => {
  const name = [experimentId, run.revision, run.exampleId, run.repetition].join("/");
  return uuidAt(at, createHash("sha256").update(name).digest());
};
