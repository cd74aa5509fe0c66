import type { OnlineEvaluationItem } from "../../agents/agent/online-evaluation.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import type { OnlineEvaluation } from "./schemas.ts";
import type { AgentAndEvaluated } from "./store.ts";

/** Maps an agent's online evaluation to its public representation, as a principal may see it. */
export const toOnlineEvaluation = (
  { agents: _agents, ...evaluation }: OnlineEvaluationItem,
  { agent, evaluated, failures }: AgentAndEvaluated,
  { scopes }: Pick<Principal, "scopes">,
): OnlineEvaluation => {
  const mayReadExecutions = scopes.includes("executions:read");
  const byScorer = new Map(failures.map((failure) => [failure.scorer, failure]));
  return {
    agentId: agent.id,
    ...evaluation,
    evaluatedThisMonth: evaluated,
    failures: evaluation.scorers
      .flatMap((id) => byScorer.get(id) ?? [])
      .map(({ scorer, count, at, executionId, detail }) => ({
        scorer,
        failedThisMonth: count,
        lastFailedAt: at,
        executionId,
        // It may quote what the execution returned.
        detail: mayReadExecutions ? detail : null,
      })),
  };
};
