import type { ExecutionDeps } from "../../executions/job/job.ts";
import { cancelExecution } from "../../executions/recover/cancel-execution.ts";
import { Problem } from "../../platform/http/problems.ts";
import { newUuid, parseUuidTime } from "../../platform/runtime/runtime.ts";
import { countExamples } from "../dataset/read-examples.ts";
import type { RunExperimentMessage } from "../messages.ts";
import { countResults } from "./count-results.ts";
import { type Driver, driverLeaseMs, driverWaitMs, exampleReader } from "./driver.ts";
import { finishExperiment } from "./finish-experiment.ts";
import { type ExperimentItem, RunResult, type StartedRun } from "./items.ts";
import { planRuns } from "./plan-runs.ts";
import { requestRun } from "./request-run.ts";
import { loadExperimentConfig } from "./run-hooks.ts";
import { settleLost } from "./settle-lost.ts";
import { startRuns } from "./start-runs.ts";
import {
  type DrivenMembers,
  getExperiment,
  getExperimentAndResults,
  leaseExperiment,
  releaseExperiment,
  saveExperiment,
} from "./store.ts";

/** `until`: when to hand over, `deadline`: when the function times out, Unix milliseconds; `attempt`: from 1. */
export type DriveReceipt = { until: number; deadline: number; attempt: number };

/** Pauses between looks at the results, in milliseconds: the first after a change, then longer ones. */
const pauses = { first: 100, longest: 1_600, factor: 2 };
/** Time between looks at the records of runs without a result, and the age from which they are looked at. */
const lostMs = 10_000;

/**
 * Drives an experiment: starts its runs, as many as may run concurrently, counts their results, and
 * ends it. Hands over to the next message before the function times out. Writes starts together
 * with counts before starting, so that a driver after a crash continues there. Idempotent.
 */
export const runExperiment = async (
  deps: ExecutionDeps,
  {
    message: { tenantId, experimentId },
    receipt,
  }: { message: Pick<RunExperimentMessage, "tenantId" | "experimentId">; receipt: DriveReceipt },
): Promise<void> => {
  const worker = newUuid(deps.runtime);
  const place = { tenantId, experimentId };
  const config = await loadExperimentConfig(deps, { tenantId, experimentId });
  const item = await takeExperiment(deps, { tenantId, experimentId }, worker, receipt.attempt);
  if (!item || !config) return;
  const nextExample = exampleReader(deps, { place, config, item });
  const driver: Driver = { deps, place, config, worker, nextExample, deadline: receipt.deadline };
  const counted = await countRuns(driver, item);
  if (counted) await drive(driver, counted, receipt.until);
};

/** Takes an experiment for a worker; undefined when it has ended or another one drives it. */
const takeExperiment = async (
  { db, runtime }: ExecutionDeps,
  place: Driver["place"],
  worker: string,
  attempt: number,
): Promise<ExperimentItem | undefined> => {
  const item = await getExperiment(db, place.tenantId, place.experimentId);
  if (!item || item.endedAt !== null) return undefined;
  const now = runtime.clock();
  // A repeated attempt follows a crash, so it does not wait for the crashed run's lease.
  if (attempt === 1 && item.worker !== null && item.leaseUntil > now) return undefined;
  const lease = { worker, leaseUntil: now + driverLeaseMs, modifiedAt: now };
  return leaseExperiment(db, place, item, lease);
};

/** Counts the runs, once; undefined when the lease was lost. */
const countRuns = async (
  driver: Driver,
  item: ExperimentItem,
): Promise<ExperimentItem | undefined> => {
  if (item.progress.total !== null) return item;
  const { deps, place, config } = driver;
  const { split, revisions, repetitions } = item;
  const examples = await countExamples(deps.db, place.tenantId, config.dataset, split ?? undefined);
  const total = examples * revisions.length * repetitions;
  return save(driver, { progress: { ...item.progress, total } });
};

/** Writes members of the experiment and renews the lease; undefined when another driver has it, or `expect` differs. */
const save = (
  { deps, place, worker }: Driver,
  set: DrivenMembers,
  expect?: Pick<ExperimentItem, "reservations">,
): Promise<ExperimentItem | undefined> => {
  const now = deps.runtime.clock();
  const lease = { worker, leaseUntil: now + driverLeaseMs };
  return saveExperiment(deps.db, place, lease, { set: { ...set, modifiedAt: now }, expect });
};

const drive = async (driver: Driver, taken: ExperimentItem, until: number): Promise<void> => {
  const { clock } = driver.deps.runtime;
  let item = taken;
  let pauseMs = pauses.first;
  let lookedAt = clock();
  let isFirst = true;
  let mustGoOn = true;
  let isCancelled = false;
  for (;;) {
    const turn = await look(driver, item);
    if (turn === "lost") return;
    const { waiting } = turn;
    if (turn.item.status === "Cancelled" && !isCancelled) {
      await cancelRuns(driver, turn.item, waiting);
      isCancelled = true;
    }
    if (isFirst && waiting.length > 0) await settleLost(driver, turn.item, waiting, true);
    isFirst = false;
    const hasNews: boolean = turn.hasNews || mustGoOn;
    const next: ExperimentItem | undefined = hasNews
      ? await continueExperiment(driver, turn.item)
      : await renew(driver, turn.item);
    // A run has raised its reservation meanwhile, or another driver has the experiment.
    mustGoOn = hasNews && !next;
    if (mustGoOn) continue;
    if (!next) return;
    item = next;
    if (isOver(item)) return finishExperiment(driver, item);
    const now = clock();
    if (now >= until) return handOver(driver);
    if (now - lookedAt >= lostMs) {
      lookedAt = now;
      const old = waiting.filter(({ executionId }) => now - parseUuidTime(executionId) > lostMs);
      if (old.length > 0) await settleLost(driver, item, old, false);
    }
    pauseMs = hasNews ? pauses.first : Math.min(pauses.longest, pauseMs * pauses.factor);
    await driver.deps.sleep(pauseMs, new AbortController().signal);
  }
};

const isOver = ({ status, drive: { running, cursor, stopping } }: ExperimentItem): boolean =>
  running.length === 0 && (cursor.isDone || stopping !== null || status === "Cancelled");

const Counted = RunResult.pick({
  executionId: true,
  status: true,
  cost: true,
  priced: true,
  cut: true,
});

/** Reads the experiment with the results of its runs, in one call, and counts those that are there. */
const look = async (
  { deps, place, worker }: Driver,
  { drive: { running } }: ExperimentItem,
): Promise<"lost" | { item: ExperimentItem; waiting: readonly StartedRun[]; hasNews: boolean }> => {
  const seen = await getExperimentAndResults(deps.db, place, running, Counted);
  const { item, results } = seen;
  if (item?.worker !== worker) return "lost";
  const found = new Map(
    item.drive.running.flatMap((run, at) => {
      const result = results[at];
      return result ? [[run, result] as const] : [];
    }),
  );
  const counted = { ...item, ...countResults(item, found) };
  return { item: counted, waiting: counted.drive.running, hasNews: found.size > 0 };
};

/**
 * Writes what was counted with the runs that are started next, then starts them. Undefined when a run has raised its
 * reservation meanwhile, or another driver has the experiment.
 */
const continueExperiment = async (
  driver: Driver,
  item: ExperimentItem,
): Promise<ExperimentItem | undefined> => {
  const { drive, reserved, free, starts, agent } = await planRuns(driver, item);
  const { progress, totalCost, priced, reservations } = item;
  const set = { drive, progress, totalCost, priced, reserved, free };
  const saved = await save(driver, set, { reservations });
  if (saved && agent && starts.length > 0) await startRuns(driver, agent, starts);
  return saved;
};

const renew = async (driver: Driver, item: ExperimentItem): Promise<ExperimentItem | undefined> =>
  item.leaseUntil - driver.deps.runtime.clock() > driverLeaseMs / 2 ? item : save(driver, {});

const cancelRuns = async (
  { deps, place: { tenantId } }: Driver,
  { agentId }: ExperimentItem,
  runs: readonly StartedRun[],
): Promise<void> => {
  await Promise.all(
    runs.map(async ({ executionId }) => {
      try {
        await cancelExecution(deps, { tenantId, agentId, executionId });
      } catch (error) {
        // It has ended, or was never started.
        if (!(error instanceof Problem)) throw error;
      }
    }),
  );
};

const handOver = async ({ deps, place, worker }: Driver): Promise<void> => {
  const now = deps.runtime.clock();
  const next = { leaseUntil: now + driverWaitMs, modifiedAt: now };
  if (await releaseExperiment(deps.db, place, worker, next)) await requestRun(deps.send, place);
};
