import { cancelExperiment } from "../../lib/evaluation/experiment/cancel-experiment.ts";
import { maxExecutionMs } from "../../lib/executions/lease/execution-lease.ts";
import { listOpenExecutions } from "../../lib/executions/lease/list-open.ts";
import { toExecutionKey } from "../../lib/executions/record/keys.ts";
import { cancelExecution } from "../../lib/executions/recover/cancel-execution.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { Problem } from "../../lib/platform/http/problems.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import type { Installation } from "./installation.ts";
import type { Deletion } from "./move-store.ts";
import { formatCount, type Progress } from "./progress.ts";
import { revokeKeys } from "./revoke-keys.ts";
import { deleteSchedule } from "./schedules.ts";
import { queryItems } from "./table-items.ts";

/** A webhook's listener at its provider. */
export type RemoteListener = {
  tenantId: TenantId;
  webhookId: string;
  provider: string;
  configId: string;
  externalContext: string | null;
  remoteId: string;
};

/** Removes a listener at its provider; returns why it was left there, undefined when it was removed. */
export type EndListeners = (listener: RemoteListener) => Promise<string | undefined>;

type DrainDeps = {
  readonly installation: Installation;
  readonly progress: Progress;
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly endListeners: EndListeners;
};

const pollMs = 5_000;

/**
 * Ends the work of a tenant that does not exist any more: keys, schedules, experiments, executions and the listeners of
 * its webhooks. Idempotent. Waits until no function runs an execution, for as long as one may run.
 */
export const drainTenant = async (deps: DrainDeps, deletion: Deletion): Promise<void> => {
  const { installation, clock } = deps;
  const tenantId = TenantId.parse(deletion.tenantId);
  const keys = deletion.isOnlyTenant ? deletion.keys : deletion.ownKeys;
  await revokeKeys(installation.db, deletion.organizationId, keys, clock());
  for (const name of deletion.schedules) await deleteSchedule(installation, name);
  await removeListeners(deps, tenantId);
  await cancelExperiments(deps, tenantId);
  const until = clock() + maxExecutionMs;
  while ((await cancelExecutions(deps, tenantId)) > 0 && clock() < until) await deps.sleep(pollMs);
};

const removeListeners = async (
  { installation, progress, endListeners }: DrainDeps,
  tenantId: TenantId,
): Promise<void> => {
  for await (const item of queryItems(installation, `TENANT#${tenantId}`, "WEBHOOK#")) {
    const { id, configId } = item.remote?.M ?? {};
    const webhookId = item.id?.S ?? "";
    const provider = item.provider?.S ?? "";
    if (id?.S === undefined || configId?.S === undefined) continue;
    const reason = await endListeners({
      tenantId,
      webhookId,
      provider,
      configId: configId.S,
      externalContext: item.externalContext?.S ?? null,
      remoteId: id.S,
    });
    const outcome = reason === undefined ? "removed" : `left (${reason})`;
    progress(`listener of the webhook ${webhookId} at ${provider}: ${outcome}`, {
      isMilestone: true,
    });
  }
};

/** Ignores that something has ended or is gone. */
const unlessEnded = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
};

const cancelExperiments = async (
  { installation, clock }: DrainDeps,
  tenantId: TenantId,
): Promise<void> => {
  const { db } = installation;
  for await (const { sk } of queryItems(installation, `TENANT#${tenantId}#EXPERIMENTS`, "")) {
    await unlessEnded(cancelExperiment({ db, clock }, { tenantId, experimentId: sk?.S ?? "" }));
  }
};

/** Cancels the executions that have not ended; returns how many a function may still run. */
const cancelExecutions = async (
  { installation: { db, send }, clock, progress }: DrainDeps,
  tenantId: TenantId,
): Promise<number> => {
  const runtime = { ...systemRuntime, clock };
  let running = 0;
  for await (const { item, lease } of listOpenExecutions(db)) {
    if (item.tenantId !== tenantId) continue;
    if (lease.owner !== null && lease.leaseUntil > clock()) running += 1;
    await unlessEnded(cancelExecution({ db, runtime, send }, toExecutionKey(item)));
  }
  progress(`executions: ${formatCount(running)} running`);
  return running;
};
