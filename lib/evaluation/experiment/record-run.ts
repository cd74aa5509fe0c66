import type { ExecutionDeps } from "../../agents/execution/context.ts";
import type { ExecutionItem } from "../../agents/execution/items.ts";
import type { RecordedEnd } from "../../agents/execution/recorded-end.ts";
import { triggerTypes } from "../../agents/execution/schemas.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { ExperimentConfig } from "./items.ts";
import type { RunPlace } from "./keys.ts";
import { settleRun } from "./settle-run.ts";
import { getExperimentConfig } from "./store.ts";

/** Names of the members of an execution's metadata that tell which run of an experiment it is. */
export const runMetadata = {
  experiment: "experimentId",
  example: "exampleId",
  repetition: "repetition",
} as const;

/**
 * Scores an execution that has just ended, in the function that ran it, if it is a run of an experiment: no further
 * message, and no storage call for others. Best effort: the driver of the experiment settles what fails here.
 */
export const recordRun = async (
  deps: ExecutionDeps,
  end: RecordedEnd,
  deadline: number,
): Promise<void> => {
  const found = runOf(end.item);
  if (!found) return;
  const { experimentId, run } = found;
  const tenantId = TenantId.parse(end.item.tenantId);
  try {
    const config = await configOf(deps, tenantId, experimentId);
    if (config) await settleRun(deps, { tenantId, experimentId, config, run }, end, deadline);
  } catch (error) {
    log().warn("a run of an experiment was not scored; its driver will", {
      experimentId,
      executionId: end.item.id,
      error: asError(error),
    });
  }
};

/** Returns the run that an execution is; its trigger cannot be chosen by callers, as metadata can. */
const runOf = ({
  agentRevision,
  trigger,
  metadata,
}: ExecutionItem): { experimentId: string; run: RunPlace } | undefined => {
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
export const configOf = (
  deps: Pick<ExecutionDeps, "db" | "objects">,
  tenantId: TenantId,
  experimentId: string,
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
