import type { FlowError } from "../../engine/flow/flow-result.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { finishExecution } from "./finish-execution.ts";
import { newExecution } from "./new-execution.ts";
import { putOpen } from "./open-store.ts";
import type { Trigger } from "./schemas.ts";
import type { Refusal, StartDeps } from "./start-triggered.ts";
import { putNewExecution } from "./store.ts";
import { leaseMs, mostClaims } from "./times.ts";

/**
 * Records a refused execution as failed, so that its owner sees it and is notified. Once per `executionId`.
 * Its input is not stored.
 */
export const recordRefusal = async (
  deps: StartDeps,
  tenantId: TenantId,
  { executionId, trigger }: { executionId: string; trigger: Trigger },
  { agent, agentRevision, revision, slug, detail }: Refusal,
): Promise<void> => {
  const { db, runtime } = deps;
  const { item, input } = await newExecution(deps, {
    id: executionId,
    tenantId,
    agentId: agent.id,
    agentRevision,
    parametersMetadata: [],
    trigger,
    input: {},
    metadata: {},
    isSample: false,
    status: "Queued",
  });
  const owner = executionId;
  const open = putOpen({
    tenantId,
    agentId: agent.id,
    executionId,
    owner,
    leaseUntil: runtime.clock() + leaseMs,
    // A crash leaves it to the next worker, which abandons it: it has no input to run.
    claims: mostClaims,
    sends: 0,
    cancelled: false,
  });
  if ((await putNewExecution(db, tenantId, { item, input, more: [open] })) === "exists") return;
  const job = { tenantId, agent, agentRevision, revision, item, values: {}, owner, endsBy: 0 };
  const error: FlowError = { slug, detail, step: null };
  await finishExecution(
    deps,
    job,
    { status: "Failed", output: null, error, usage: [], spans: [] },
    0,
  );
};
