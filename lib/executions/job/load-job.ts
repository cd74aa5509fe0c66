import * as z from "zod";
import { loadDraft, StoredDraft } from "../../agents/revision/draft.ts";
import type { LoadedRevision } from "../../agents/revision/load-revision.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { checkInputs } from "../../values/json/check-inputs.ts";
import type { StoredExecution } from "../record/execution-record.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import { getAgentAndExecution } from "../record/store.ts";
import { readSentInput, readStoredValue, type Storage } from "../record/values.ts";
import { withHistory } from "../session/turn-messages.ts";
import type { ExecutionDeps, Job, RunAgent } from "./job.ts";

/** Members of a job that are not stored. */
type LeaseTerms = Pick<Job, "owner" | "endsBy">;

/** A job and its stored execution. */
export type LoadedJob = { job: Job; execution: StoredExecution };

/** Loads a started execution so that it can be resumed; undefined when its agent was deleted. */
export const loadJob = async (
  deps: ExecutionDeps,
  { tenantId, agentId, executionId, leaseTerms }: { leaseTerms: LeaseTerms } & ExecutionKey,
): Promise<LoadedJob | undefined> => {
  const found = await getAgentAndExecution(deps.db, tenantId, agentId, executionId);
  const job = found && (await toJob(deps, { tenantId, ...found, leaseTerms }));
  return job && { job, execution: found.execution };
};

/** Builds the job of an execution; undefined when its revision does not exist. */
export const toJob = async (
  deps: ExecutionDeps,
  {
    tenantId,
    agent,
    execution,
    leaseTerms: { owner, endsBy },
  }: { leaseTerms: LeaseTerms; tenantId: TenantId; agent: RunAgent; execution: StoredExecution },
): Promise<Job | undefined> => {
  const { item } = execution;
  const { agentRevision } = item;
  const [revision, sent] = await Promise.all([
    execution.draft
      ? readDraft(deps, execution)
      : deps.loadRevision(tenantId, agent, agentRevision),
    readSentInput(deps, execution),
  ]);
  if (!revision) return undefined;
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  const { parametersMetadata } = revision.content;
  const input = item.session ? withHistory(parametersMetadata, sent.input) : sent.input;
  // Nothing is left of a blocked input.
  const isBlocked = sent.verdicts?.some(({ outcome }) => outcome === "blocked") ?? false;
  const checked = isBlocked
    ? { ok: true as const, values: {} }
    : await checkInputs(parametersMetadata, input, processor);
  if (!checked.ok) throw new Error(`the input of execution ${item.id} is not valid any more`);
  const { values } = checked;
  const { verdicts, context } = sent;
  const { isUnchecked, isGuarded } = execution;
  const given = { values, context, verdicts, isUnchecked, isGuarded };
  return { tenantId, agent, agentRevision, revision, item, ...given, owner, endsBy };
};

const DraftSecrets = z.record(z.string(), z.string());

/** Reads the draft that an execution runs, with its secrets; undefined for one of a revision. */
const readDraft = async (
  { sealer, ...storage }: Storage & { sealer: Sealer },
  { item, draft, draftSecrets }: StoredExecution,
): Promise<LoadedRevision | undefined> => {
  if (!draft) return undefined;
  const key = toExecutionKey(item);
  const { tenantId, executionId } = key;
  const [stored, secrets] = await Promise.all([
    readStoredValue(storage, key, draft),
    draftSecrets ? sealer.open(draftSecrets, { tenantId, executionId }) : {},
  ]);
  return loadDraft(StoredDraft.parse(stored), DraftSecrets.parse(secrets));
};
