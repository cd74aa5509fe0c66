import { type Deployed, loadDeployed } from "../../agents/revision/load-deployed.ts";
import type { SubAgentCall } from "../../engine/flow/agent-runner.ts";
import { StepError } from "../../engine/step-error.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { budgetDetail } from "../../spending/budget/check-budget.ts";
import { type ExecutionDeps, type Job, triggerTypes } from "../record/execution-record.ts";
import { inputDetail, planStart, type StartPlan } from "../start/start-execution.ts";
import type { RunContext } from "./run-context.ts";

/** Maximum nesting of agents, the outermost included. */
const maxDepth = 5;

/** Throws a StepError when a called agent is among its callers, or nested too deeply. */
export const checkNesting = (agentId: string, ancestors: readonly string[]): void => {
  const way = [...ancestors, agentId].join(" → ");
  if (ancestors.includes(agentId)) {
    throw new StepError("execution-failed", `Agents must not call each other in a cycle: ${way}.`);
  }
  if (ancestors.length > maxDepth) {
    throw new StepError("execution-failed", `Sub-agents may be at most ${maxDepth} deep: ${way}.`);
  }
};

/** Loads a called agent and plans its execution. Throws a StepError for one that cannot run. */
export const planCall = async (
  deps: ExecutionDeps,
  parent: Job,
  { processor }: RunContext,
  { agentId, input }: Pick<SubAgentCall, "agentId" | "input">,
): Promise<StartPlan & { deployed: Deployed }> => {
  const deployed = await requireDeployed(deps, parent, agentId);
  const { tenantId, item } = parent;
  const request = {
    tenantId,
    executionId: newUuid(deps.runtime),
    trigger: { type: triggerTypes.subAgent, id: item.id, provider: null },
    input,
    isSample: item.isSample,
  };
  const plan = await planStart(deps, deployed, request, processor);
  if ("start" in plan) return { ...plan, deployed };
  if ("exceeded" in plan) throw new StepError("budget-exceeded", budgetDetail(plan.exceeded));
  const detail = `The input of "${agentId}" is invalid: ${inputDetail(plan.errors)}`;
  throw new StepError("execution-failed", detail);
};

const requireDeployed = async (
  deps: ExecutionDeps,
  { tenantId }: Job,
  agentId: string,
): Promise<Deployed> => {
  const loaded = await loadDeployed(deps, tenantId, agentId);
  if (!("missing" in loaded)) return loaded;
  const detail =
    loaded.missing === "deployment"
      ? `The agent "${agentId}" has no deployed revision.`
      : `There is no agent "${agentId}".`;
  throw new StepError("execution-failed", detail);
};
