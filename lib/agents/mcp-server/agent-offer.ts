import { Reply } from "../../edge/respond.ts";
import { schemaOf } from "../../engine/flow/prompt/tool-schema.ts";
import { parseJson } from "../../json/parse-json.ts";
import { Problem, problemRegistry } from "../../platform/http/problems.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { getAgent } from "../agent/store.ts";
import type { ExecutionDeps } from "../execution/context.ts";
import { type ExecuteContext, executeAgent } from "../execution/execute-agent.ts";
import { ExecutionResult, triggerTypes } from "../execution/schemas.ts";
import { handOverMs } from "../execution/times.ts";
import type { Offer, Outcome } from "./offer.ts";

/** The caller of agents, and the deadline of the response, Unix milliseconds. */
export type AgentCaller = Pick<ExecuteContext, "tenant" | "principal"> & {
  answerBy: number;
  /** Processor budget shared by the calls of one request. */
  processor: ProcessorBudget;
};

/** Time reserved for handing over an execution that takes longer. */
const marginMs = 4_000;

/**
 * Offers an agent as an MCP tool that runs its deployed revision. An agent that the caller may not run is not
 * listed, and calling it returns the refusal. An execution that exceeds the deadline continues in the
 * background; the result names it.
 */
export function offerAgent(
  deps: ExecutionDeps,
  caller: AgentCaller,
  { agentId, refusal }: { agentId: string; refusal: Problem | undefined },
): Offer {
  const tenantId = caller.tenant.id;
  return {
    name: agentId,
    describe: async () => {
      if (refusal) return undefined;
      const agent = await getAgent(deps.db, tenantId, agentId);
      if (!agent || agent.deployedRevision === null) return undefined;
      const revision = await deps.loadRevision(tenantId, agent, agent.deployedRevision);
      return (
        revision && {
          title: agent.displayName,
          description: agent.description ?? agent.displayName,
          inputSchema: schemaOf(revision.content.parametersMetadata),
          isReadOnly: false,
        }
      );
    },
    call: async (input) => {
      if (refusal) return ofProblem(refusal);
      const handOverAt = caller.answerBy - marginMs;
      const ctx = {
        ...caller,
        deadline: handOverAt + handOverMs,
        agentPath: `/v1/tenants/${tenantId}/agents/${agentId}`,
        events: undefined,
        waitUntil: () => {},
      };
      const request = {
        agentId,
        body: { input },
        triggerType: triggerTypes.api,
        isSample: false,
        preference: { waitMs: caller.answerBy - deps.runtime.clock(), applied: undefined },
      };
      try {
        return toOutcome(await executeAgent({ ctx, input: request, deps }));
      } catch (error) {
        return ofProblem(error);
      }
    },
  };
}

function toOutcome(answer: ExecutionResult | Reply): Outcome {
  if (!(answer instanceof Reply)) {
    const output = parseJson(JSON.stringify(answer.output ?? null));
    return { ok: true, value: output.ok ? output.value : null };
  }
  const { executionId } = ExecutionResult.parse(JSON.parse(answer.body));
  const detail = `The agent is still at work. Its execution ${executionId} goes on and keeps the output; calling again would begin another.`;
  return { ok: false, detail };
}

function ofProblem(error: unknown): Outcome {
  if (!(error instanceof Problem) || error.slug === "internal-error") throw error;
  return { ok: false, detail: `${problemRegistry[error.slug].title}: ${error.message}` };
}
