import type { Utterance } from "../../engine/flow/utterance.ts";
import { checkInputs } from "../../json/check-inputs.ts";
import type { ParameterDescriptor } from "../../json/parameters.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { Problem } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { type AgentItem, getAgent } from "../agent/store.ts";
import { assertBudgetLeft } from "../budget/assert-budget-left.ts";
import type { LoadedRevision } from "../revision/load-revision.ts";
import type { RevisionContent } from "../revision/schemas.ts";
import type { ExecutionDeps } from "./context.ts";
import { enqueueExecution } from "./enqueue-execution.ts";
import { newExecution } from "./new-execution.ts";
import { putOpen } from "./open-store.ts";
import type { Trigger } from "./schemas.ts";
import { putNewExecution } from "./store.ts";
import { resendAfterMs } from "./times.ts";

/** Dependencies of starting an execution. */
export type StartDeps = Pick<
  ExecutionDeps,
  "db" | "objects" | "sealer" | "send" | "loadRevision" | "runtime"
>;

/** An execution started by a schedule, a webhook event or a chat message. */
export type Triggered = {
  tenantId: TenantId;
  agentId: string;
  /** Derived from the cause, so that a repeated message starts one execution. */
  executionId: string;
  trigger: Trigger;
  /** Processor budget of the input checks; default: that of a delivery. */
  processor?: ProcessorBudget;
  /** Builds the input for the parameters of the deployed revision. */
  inputFor: (
    parameters: readonly ParameterDescriptor[],
    content: RevisionContent,
  ) => Promise<Record<string, unknown>>;
  /** Returns the earlier messages of the conversation; undefined for none. */
  sessionFor?: (content: RevisionContent) => Promise<readonly Utterance[] | undefined>;
  /** Returns the limits that the deployed revision sets; undefined when it no longer has the cause. */
  limitsIn?: (content: RevisionContent) => Limits | undefined;
};

/** Limits that a revision sets for an execution. */
export type Limits = {
  /** Maximum duration in milliseconds; undefined for the general maximum. */
  limitMs: number | undefined;
};

/** Why a deployed revision refuses an execution. */
export type Refusal = {
  agent: AgentItem;
  agentRevision: number;
  revision: LoadedRevision;
  slug: "execution-failed" | "budget-exceeded";
  detail: string;
};

/**
 * The started execution, or why it was refused permanently. `isStale`: the cause belongs to a revision that is
 * no longer deployed; otherwise `refusal` names what refused it.
 */
export type StartOutcome =
  | { executionId: string }
  | { refused: string; isStale: true }
  | { refused: string; isStale: false; refusal: Refusal };

/**
 * Starts an execution of an agent's deployed revision on the queue, once per `executionId`. Returns refusals;
 * throws storage failures.
 */
export const startTriggered = async (deps: StartDeps, cause: Triggered): Promise<StartOutcome> => {
  const { db, loadRevision, runtime, send } = deps;
  const { tenantId, agentId, executionId, trigger } = cause;
  const agent = await getAgent(db, tenantId, agentId);
  if (!agent) return { refused: "The agent does not exist any more.", isStale: true };
  const agentRevision = agent.deployedRevision;
  if (agentRevision === null) return { refused: "The agent is not deployed.", isStale: true };
  const revision = await loadRevision(tenantId, agent, agentRevision);
  if (!revision) throw new Error(`revision ${agent.id}/${agentRevision} is deployed but not there`);
  const { content } = revision;
  const limits = cause.limitsIn ? cause.limitsIn(content) : { limitMs: undefined };
  if (!limits) return { refused: "The deployed revision does not ask for it.", isStale: true };
  const refuse = (slug: Refusal["slug"], detail: string): StartOutcome => ({
    refused: detail,
    isStale: false,
    refusal: { agent, agentRevision, revision, slug, detail },
  });
  const { parametersMetadata } = content;
  const { processor = new ProcessorBudget(processorLimits.deliveryMs) } = cause;
  const input = await cause.inputFor(parametersMetadata, content);
  const checked = await checkInputs(parametersMetadata, input, processor);
  if (!checked.ok) {
    const detail = checked.errors.map((each) => `${each.pointer} ${each.detail}`).join("; ");
    return refuse("execution-failed", `The input does not fit: ${detail}`.slice(0, 1_000));
  }
  try {
    await assertBudgetLeft({ db, send, clock: runtime.clock }, tenantId, agent);
  } catch (error) {
    if (!(error instanceof Problem && error.slug === "budget-exceeded")) throw error;
    return refuse("budget-exceeded", error.message);
  }
  const { item, input: inputItem } = await newExecution(deps, {
    id: executionId,
    tenantId,
    agentId: agent.id,
    agentRevision,
    parametersMetadata,
    trigger,
    input,
    metadata: {},
    session: await cause.sessionFor?.(content),
    isSample: false,
    status: "Queued",
  });
  const open = putOpen({
    tenantId,
    agentId: agent.id,
    executionId,
    owner: null,
    leaseUntil: runtime.clock() + resendAfterMs(1),
    limitMs: limits.limitMs,
    claims: 0,
    sends: 1,
    cancelled: false,
  });
  const begun = await putNewExecution(db, tenantId, { item, input: inputItem, more: [open] });
  if (begun === "written") await enqueueExecution(send, tenantId, item);
  return { executionId };
};
