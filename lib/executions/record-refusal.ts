import type { Deployed } from "../agents/revision/load-deployed.ts";
import type { FlowError } from "../engine/flow/flow-result.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { finishExecution } from "./finish-execution.ts";
import type { Trigger } from "./schemas.ts";
import { type StartDeps, startExecution } from "./start-execution.ts";
import { noTreeCost } from "./tree-cost.ts";

/** Why a deployed revision refuses an execution. */
export type Refusal = { slug: "execution-failed" | "budget-exceeded"; detail: string };

/**
 * Records a refused execution as failed, so that its owner sees it and is notified. Once per `executionId`.
 * Its input is not stored.
 */
export const recordRefusal = async (
  deps: StartDeps,
  deployed: Deployed,
  cause: { tenantId: TenantId; executionId: string; trigger: Trigger },
  refusal: Refusal,
): Promise<void> => {
  const { tenantId, executionId, trigger } = cause;
  const owner = executionId;
  const { item, isNew } = await startExecution(deps, {
    id: executionId,
    agentId: deployed.agent.id,
    tenantId,
    agentRevision: deployed.agentRevision,
    parametersMetadata: [],
    trigger,
    input: {},
    metadata: {},
    isSample: false,
    runner: { type: "none", owner },
  });
  if (!isNew) return;
  const job = { tenantId, ...deployed, item, values: {}, owner, endsBy: 0 };
  const error: FlowError = { ...refusal, step: null };
  const end = {
    status: "Failed",
    output: null,
    error,
    usage: [],
    spans: [],
    costOfSubAgents: noTreeCost,
  } as const;
  await finishExecution(deps, job, end, { reserved: 0 });
};
