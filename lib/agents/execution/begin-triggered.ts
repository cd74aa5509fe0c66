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

/** What beginning an execution needs of what executions need. */
export type BeginDeps = Pick<
  ExecutionDeps,
  "db" | "objects" | "sealer" | "send" | "loadRevision" | "runtime"
>;

/** An execution that something else than a caller of the API sets off. */
export type Triggered = {
  tenantId: TenantId;
  agentId: string;
  /** The same for the same cause: then a cause that comes twice begins one execution. */
  executionId: string;
  trigger: Trigger;
  /** What checking the input may take; default: what a delivery has. */
  processor?: ProcessorBudget;
  /** Makes the input for the parameters of the deployed revision. */
  inputFor: (
    parameters: readonly ParameterDescriptor[],
    content: RevisionContent,
  ) => Promise<Record<string, unknown>>;
  /** Gives what was said before in the conversation that is answered in; undefined for none. */
  sessionFor?: (content: RevisionContent) => Promise<readonly Utterance[] | undefined>;
  /** What the deployed revision says of such executions; undefined when it knows the cause no more. */
  termsIn?: (content: RevisionContent) => Terms | undefined;
};

/** What a revision says of an execution. */
export type Terms = {
  /** How long it may take from when it is begun, in milliseconds; undefined for as long as any may. */
  limitMs: number | undefined;
};

/** Why a deployed revision does not allow an execution. */
export type Refusal = {
  agent: AgentItem;
  agentRevision: number;
  revision: LoadedRevision;
  slug: "execution-failed" | "budget-exceeded";
  detail: string;
};

/**
 * What became of it: refused, in words, for a reason that the next attempt would meet as well. It is stale when
 * the cause belongs to what is not deployed any more; otherwise `refusal` says what did not allow it.
 */
export type Begun =
  | { executionId: string }
  | { refused: string; isStale: true }
  | { refused: string; isStale: false; refusal: Refusal };

/**
 * Begins an execution of an agent's deployed revision on the queue, once for one `executionId`. What the
 * agent does not allow is said in words; failures of the storage are thrown.
 */
export const beginTriggered = async (deps: BeginDeps, cause: Triggered): Promise<Begun> => {
  const { db, loadRevision, runtime, send } = deps;
  const { tenantId, agentId, executionId, trigger } = cause;
  const agent = await getAgent(db, tenantId, agentId);
  if (!agent) return { refused: "The agent does not exist any more.", isStale: true };
  const agentRevision = agent.deployedRevision;
  if (agentRevision === null) return { refused: "The agent is not deployed.", isStale: true };
  const revision = await loadRevision(tenantId, agent, agentRevision);
  if (!revision) throw new Error(`revision ${agent.id}/${agentRevision} is deployed but not there`);
  const { content } = revision;
  const terms = cause.termsIn ? cause.termsIn(content) : { limitMs: undefined };
  if (!terms) return { refused: "The deployed revision does not ask for it.", isStale: true };
  const refuse = (slug: Refusal["slug"], detail: string): Begun => ({
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
    limitMs: terms.limitMs,
    claims: 0,
    sends: 1,
    cancelled: false,
  });
  const begun = await putNewExecution(db, tenantId, { item, input: inputItem, more: [open] });
  if (begun === "written") await enqueueExecution(send, tenantId, item);
  return { executionId };
};
