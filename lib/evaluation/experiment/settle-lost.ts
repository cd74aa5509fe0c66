import { getAgent } from "../../agents/agent/store.ts";
import { isOpen, StoredExecution } from "../../executions/record/execution-record.ts";
import { executionKey } from "../../executions/record/keys.ts";
import { readOutcome } from "../../executions/record/results.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { readExample } from "../dataset/read-examples.ts";
import type { Scorer } from "../scorer/schemas.ts";
import { costLimitFor } from "./cost-limit.ts";
import type { Driver, PlannedRun } from "./driver.ts";
import type { ExperimentItem, StartedRun } from "./items.ts";
import { settleRun, settleUnscored } from "./settle-run.ts";
import { refuseRun, startRuns } from "./start-runs.ts";

/** Time for the function that ran an execution to score it, in milliseconds. */
const graceMs = { deterministic: 5_000, others: 90_000 };

/** Time after its end in which a run is scored, in milliseconds: three timeouts of a function. */
const longestScoringMs = 45 * 60_000;

const isDeterministic = ({ type }: Scorer): boolean => type !== "Judge" && type !== "Agent";

/**
 * Looks at the records of runs without a result, in one call: settles those that ended elsewhere (cancelled, abandoned,
 * or in a function that crashed before it scored them), and starts those that have no record.
 * @param isResumed whether the starts of an earlier driver are repeated too, which may have been cut off
 */
export const settleLost = async (
  driver: Driver,
  item: ExperimentItem,
  runs: readonly StartedRun[],
  isResumed: boolean,
): Promise<void> => {
  const { deps, place } = driver;
  const { tenantId } = place;
  const { agentId } = item;
  const keys = runs.map(({ executionId }) => executionKey({ tenantId, agentId, executionId }));
  const records = await getItems(deps.db, keys, StoredExecution);
  const again: StartedRun[] = [];
  for (const [at, run] of runs.entries()) {
    const record = records[at];
    if (!record || (isResumed && record.item.status === "Queued")) again.push(run);
    else await settle(driver, run, record);
  }
  if (again.length > 0) await startAgain(driver, item, again);
};

const settle = async (
  { deps, place, config, deadline }: Driver,
  run: StartedRun,
  record: StoredExecution,
): Promise<void> => {
  const { deterministic, others } = graceMs;
  const grace = config.scorers.every(isDeterministic) ? deterministic : others;
  const { endTime } = record.item;
  if (endTime === null || endTime + grace > deps.runtime.clock()) return;
  const end = isOpen(record.item) ? undefined : await readOutcome(deps, record);
  if (!end) return;
  try {
    const limit = costLimitFor(deps.db, place, record.item);
    await settleRun(deps, { ...place, config, run, end, options: { deadline, limit } });
  } catch (error) {
    const { executionId } = run;
    log("experiment-run-not-scored", { executionId, error: asError(error) });
    if (endTime + longestScoringMs > deps.runtime.clock()) return;
    await settleUnscored(deps.db, { ...place, config, run }, end);
  }
};

const startAgain = async (
  driver: Driver,
  item: ExperimentItem,
  runs: readonly StartedRun[],
): Promise<void> => {
  const { deps, place, config } = driver;
  if (item.status === "Cancelled") {
    await Promise.all(runs.map((run) => refuseRun(driver, { run, error: null })));
    return;
  }
  const agent = await getAgent(deps.db, place.tenantId, item.agentId);
  const planned: PlannedRun[] = [];
  for (const run of runs) {
    const example = await readExample(deps, {
      tenantId: place.tenantId,
      pinned: config.dataset,
      exampleId: run.exampleId,
    });
    const allowance = item.free === null ? undefined : item.reserved[run.executionId];
    if (agent && example) planned.push({ run, example, allowance });
    else
      await refuseRun(driver, { run, error: "The agent or the example does not exist any more." });
  }
  if (agent) await startRuns(driver, agent, planned);
};
