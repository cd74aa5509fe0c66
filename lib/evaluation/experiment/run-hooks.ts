import type { ExecutionDeps } from "../../executions/job/job.ts";
import type { ExecutionRecord } from "../../executions/record/execution-record.ts";
import type { RunOutcome } from "../../executions/record/results.ts";
import type { RunHooks } from "../../executions/recover/continue-executions.ts";
import { triggerTypes } from "../../executions/schemas.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { type CostLimit, continuedLimitFor, costLimitFor } from "./cost-limit.ts";
import type { ExperimentConfig } from "./items.ts";
import type { ExperimentKey, RunKey } from "./keys.ts";
import { settleRun } from "./settle-run.ts";
import { getExperimentConfig } from "./store.ts";

/** Names of the members of an execution's metadata that name its run of an experiment. */
export const runMetadata = {
  experiment: "experimentId",
  example: "exampleId",
  repetition: "repetition",
} as const;

/**
 * Keeps an execution within `maxCost` if it is a run of an experiment, and scores it when it has ended, in the function
 * that ran it: no further message, and no storage call for others. An agent that scores a run is kept within it, too.
 * @param input `deadline`: when the function times out, Unix milliseconds
 */
export const runHooksFor = (
  deps: ExecutionDeps,
  { item, deadline }: { item: ExecutionRecord; deadline: number },
): RunHooks | undefined => {
  const tenantId = TenantId.parse(item.tenantId);
  const { limitName } = item;
  if (limitName !== undefined) return { limit: continuedLimitFor(deps.db, tenantId, limitName) };
  const found = findRun(item);
  if (!found) return undefined;
  const { experimentId, run } = found;
  const place = { tenantId, experimentId };
  const limit = costLimitFor(deps.db, place, item);
  return { limit, onEnded: (end) => recordRun(deps, { place, run, limit }, end, deadline) };
};

type LimitedRun = { place: ExperimentKey; run: RunKey; limit: CostLimit | undefined };

/** Scores a run and writes its result. Best effort: the driver of the experiment settles what fails here. */
const recordRun = async (
  deps: ExecutionDeps,
  { place, run, limit }: LimitedRun,
  end: RunOutcome,
  deadline: number,
): Promise<void> => {
  const { tenantId, experimentId } = place;
  try {
    const config = await loadExperimentConfig(deps, { tenantId, experimentId });
    if (config) await settleRun(deps, { ...place, config, run, end, options: { deadline, limit } });
  } catch (error) {
    log("experiment-run-not-scored", {
      experimentId,
      executionId: end.item.id,
      error: asError(error),
    });
  }
};

/** Returns the run that an execution is; its trigger cannot be chosen by callers, as metadata can. */
const findRun = ({
  agentRevision,
  trigger,
  metadata,
}: ExecutionRecord): { experimentId: string; run: RunKey } | undefined => {
  const experimentId = metadata?.[runMetadata.experiment];
  if (experimentId === undefined || trigger.type !== triggerTypes.test) return undefined;
  if (trigger.id !== experimentId) return undefined;
  const exampleId = metadata?.[runMetadata.example] ?? "";
  const repetition = Number(metadata?.[runMetadata.repetition]);
  return { experimentId, run: { revision: agentRevision, exampleId, repetition } };
};

const maxKept = 20;
const kept = new Map<string, Promise<ExperimentConfig | undefined>>();

/** Reads what an experiment scores with; it never changes, so the instance keeps it. */
export const loadExperimentConfig = (
  deps: Pick<ExecutionDeps, "db" | "objects">,
  { tenantId, experimentId }: { tenantId: TenantId; experimentId: string },
): Promise<ExperimentConfig | undefined> => {
  const name = `${tenantId}/${experimentId}`;
  const known = kept.get(name);
  if (known) return known;
  const loading = getExperimentConfig(deps, tenantId, experimentId);
  if (kept.size >= maxKept) kept.clear();
  kept.set(name, loading);
  loading.then(
    (config) => config ?? kept.delete(name),
    () => kept.delete(name),
  );
  return loading;
};
