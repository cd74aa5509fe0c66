import { checkInputs } from "../../json/check-inputs.ts";
import { isRecord } from "../../json/json.ts";
import { unpackValue } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { getAgent } from "../agent/store.ts";
import type { ExecutionDeps } from "./context.ts";
import type { WholeExecution } from "./items.ts";
import type { Job } from "./job.ts";
import { revealSecrets } from "./secret-inputs.ts";
import { getExecution } from "./store.ts";

/** Members of a job that are not stored. */
type Tenure = Pick<Job, "owner" | "endsBy">;

/** A job and its stored execution. */
export type LoadedJob = { job: Job; execution: WholeExecution };

/** Loads a started execution so that it can be resumed; undefined when its agent was deleted. */
export const loadJob = async (
  { db, objects, sealer, loadRevision }: ExecutionDeps,
  tenantId: TenantId,
  { agentId, executionId }: { agentId: string; executionId: string },
  { owner, endsBy }: Tenure,
): Promise<LoadedJob | undefined> => {
  const [agent, execution] = await Promise.all([
    getAgent(db, tenantId, agentId),
    getExecution(db, tenantId, agentId, executionId),
  ]);
  if (!agent || !execution) return undefined;
  const { item, input } = execution;
  const { agentRevision } = item;
  const revision = await loadRevision(tenantId, agent, agentRevision);
  if (!revision) return undefined;
  const shown = await unpackValue(input.input, objects);
  const sent = await revealSecrets(sealer, tenantId, executionId, {
    shown: isRecord(shown) ? shown : {},
    secrets: input.secrets,
  });
  const processor = new ProcessorBudget(processorLimits.requestMs);
  const checked = await checkInputs(revision.content.parametersMetadata, sent, processor);
  if (!checked.ok) throw new Error(`the input of execution ${executionId} does not fit any more`);
  const { values } = checked;
  return {
    job: {
      tenantId,
      agent,
      agentRevision,
      revision,
      item,
      values,
      session: input.session,
      owner,
      endsBy,
    },
    execution,
  };
};
