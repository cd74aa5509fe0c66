import type { TenantId } from "../../platform/db/tenant-id.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { checkInputs } from "../../values/json/check-inputs.ts";
import {
  type ExecutionDeps,
  getAgentAndExecution,
  type Job,
  type RunAgent,
  readInput,
  revealSecrets,
  type StoredExecution,
  toExecutionKey,
} from "../record/execution-record.ts";

/** Members of a job that are not stored. */
type LeaseTerms = Pick<Job, "owner" | "endsBy">;

/** A job and its stored execution. */
export type LoadedJob = { job: Job; execution: StoredExecution };

/** Loads a started execution so that it can be resumed; undefined when its agent was deleted. */
export const loadJob = async (
  deps: ExecutionDeps,
  tenantId: TenantId,
  { agentId, executionId }: { agentId: string; executionId: string },
  leaseTerms: LeaseTerms,
): Promise<LoadedJob | undefined> => {
  const found = await getAgentAndExecution(deps.db, tenantId, agentId, executionId);
  const job = found && (await toJob(deps, { tenantId, ...found }, leaseTerms));
  return job && { job, execution: found.execution };
};

/** Builds the job of an execution; undefined when its revision does not exist. */
export const toJob = async (
  deps: ExecutionDeps,
  {
    tenantId,
    agent,
    execution,
  }: { tenantId: TenantId; agent: RunAgent; execution: StoredExecution },
  { owner, endsBy }: LeaseTerms,
): Promise<Job | undefined> => {
  const { item } = execution;
  const { agentRevision } = item;
  const [revision, started] = await Promise.all([
    deps.loadRevision(tenantId, agent, agentRevision),
    readInput(deps, execution),
  ]);
  if (!revision) return undefined;
  const sent = await revealSecrets(deps.sealer, toExecutionKey(item), {
    shown: started.input.input,
    secrets: started.secrets,
  });
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  const checked = await checkInputs(revision.content.parametersMetadata, sent, processor);
  if (!checked.ok) throw new Error(`the input of execution ${item.id} is not valid any more`);
  const { values } = checked;
  const { session } = started.input;
  return { tenantId, agent, agentRevision, revision, item, values, session, owner, endsBy };
};
