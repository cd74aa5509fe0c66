import { createHash } from "node:crypto";
import { type AgentItem, getAgent } from "../../agents/agent/store.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { budgetDetail, checkBudget } from "../../spending/budget/check-budget.ts";
import type { Driver, PlannedRun } from "./driver.ts";
import { freeCost } from "./free-cost.ts";
import type { Drive, ExperimentItem, StartedRun } from "./items.ts";
import type { RunKey } from "./keys.ts";

/** The state of an experiment that decides what it starts. */
type Spending = Pick<ExperimentItem, "free"> & { drive: Pick<Drive, "running" | "highestCost"> };

/**
 * Decides whether a run of a revision may start: the largest reservation of its revision must be left of `maxCost`. A run
 * of unknown cost runs alone, so that no other one has reserved what it needs. "wait": not before others have ended.
 */
export const mayStart = (
  { free, drive: { running, highestCost } }: Spending,
  revision: number,
): "start" | "wait" | "spent" => {
  if (free === null) return "start";
  const expected = highestCost[revision];
  const isFirst = expected === undefined && running.length === 0;
  if (isFirst ? free > 0 : expected !== undefined && expected <= free) return "start";
  return running.length > 0 ? "wait" : "spent";
};

const costLimit = (maxCost: number | null) => ({
  status: "CostLimit" as const,
  error: `The next run may not fit in maxCost, ${maxCost} USD.`,
});

/** Runs to start, and the state of the experiment that has started them; `agent`: the agent that they run. */
export type Plan = Pick<ExperimentItem, "drive" | "reserved" | "free"> & {
  starts: PlannedRun[];
  agent: AgentItem | undefined;
};

/** Chooses the next runs, as many as may run at the same time, and returns the drive that has started them. */
export const planRuns = async (driver: Driver, item: ExperimentItem): Promise<Plan> => {
  const { drive, reserved, free } = item;
  const nothing = { drive, reserved, free, starts: [], agent: undefined };
  const isFull = drive.running.length >= item.concurrency;
  if (item.status === "Cancelled" || drive.stopping || drive.cursor.isDone || isFull)
    return nothing;
  const { deps, place } = driver;
  const at = deps.runtime.clock();
  const agent = await getAgent(deps.db, place.tenantId, item.agentId);
  // One that was created since has other revisions of the same numbers.
  const isDeleted = !agent || agent.createdAt > item.createdAt;
  if (isDeleted) return stop(item, { status: "Failed", error: "The agent was deleted." });
  const { clock } = deps.runtime;
  const budget = await checkBudget({ ...deps, clock }, { tenantId: place.tenantId, agent });
  if (!budget.ok) {
    return stop(item, { status: "CostLimit", error: budgetDetail(budget.exceeded) });
  }
  return choose(driver, item, { at, agent });
};

const stop = (
  { drive, reserved, free }: ExperimentItem,
  stopping: NonNullable<Drive["stopping"]>,
): Plan => ({
  drive: { ...drive, stopping },
  reserved,
  free,
  starts: [],
  agent: undefined,
});

const choose = async (
  { place: { experimentId }, nextExample }: Driver,
  item: ExperimentItem,
  { at, agent }: { at: number; agent: AgentItem },
): Promise<Plan> => {
  const starts: PlannedRun[] = [];
  let { drive, reserved, free } = item;
  while (drive.running.length < item.concurrency) {
    const { after, index } = drive.cursor;
    const example = await nextExample(after);
    if (!example) {
      drive = { ...drive, cursor: { ...drive.cursor, isDone: true } };
      break;
    }
    const run = runAt(item, example.id, index);
    const decision = mayStart({ free, drive }, run.revision);
    if (decision === "spent") drive = { ...drive, stopping: costLimit(item.maxCost) };
    if (decision !== "start") break;
    const executionId = deriveRunExecutionId(experimentId, run, at);
    const started: StartedRun = { ...run, executionId };
    const allowance = free === null ? undefined : (drive.highestCost[run.revision] ?? 0);
    starts.push({ run: started, example, allowance });
    if (allowance !== undefined) reserved = { ...reserved, [executionId]: allowance };
    free = freeCost({ ...item, reserved });
    const isLast = index + 1 === item.revisions.length * item.repetitions;
    drive = {
      ...drive,
      running: [...drive.running, started],
      cursor: isLast
        ? { after: example.id, index: 0, isDone: false }
        : { after, index: index + 1, isDone: false },
    };
  }
  return { drive, reserved, free, starts, agent };
};

/** The runs of an example: all repetitions of the first revision, then those of the next. */
const runAt = (
  { revisions, repetitions }: ExperimentItem,
  exampleId: string,
  index: number,
): RunKey => ({
  revision: revisions[Math.floor(index / repetitions)] ?? 0,
  exampleId,
  repetition: (index % repetitions) + 1,
});

const deriveRunExecutionId = (experimentId: string, run: RunKey, at: number): string => {
  const name = [experimentId, run.revision, run.exampleId, run.repetition].join("/");
  return uuidAt(at, createHash("sha256").update(name).digest());
};
