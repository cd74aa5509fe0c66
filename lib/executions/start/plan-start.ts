import type { Deployed } from "../../agents/revision/load-deployed.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { checkBudget } from "../../spending/budget/check-budget.ts";
import type { AgentBudget } from "../../spending/budget/schemas.ts";
import { checkInputs, type InputProblem } from "../../values/json/check-inputs.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ExecutionDeps } from "../record/execution-record.ts";
import type { NewExecution, PlannedStart } from "./new-execution.ts";

/** What a request, a trigger, a schedule and a parent's run start an execution with. */
export type StartRequest = Pick<
  NewExecution,
  "tenantId" | "trigger" | "input" | "session" | "limitName"
> &
  Partial<Pick<NewExecution, "metadata" | "isSample">> & {
    /** New, or derived from the cause, so that a repeated message starts one execution. */
    executionId: string;
  };

/** An execution that may start, without who runs it, and its inputs with defaults. */
export type StartPlan = { start: Omit<PlannedStart, "runner">; values: JsonObject };

/** Why an execution may not start: its invalid inputs, or the used-up budget. */
export type StartRefusal = { errors: readonly InputProblem[] } | { exceeded: AgentBudget };

/** Plans an execution of a revision: checks its inputs, then its agent's budget. */
export const planStart = async (
  { db, send, runtime }: Pick<ExecutionDeps, "db" | "send" | "runtime">,
  deployed: Deployed,
  request: StartRequest,
  processor: ProcessorBudget,
): Promise<StartPlan | StartRefusal> => {
  const { agent, agentRevision, revision } = deployed;
  const { executionId, metadata = {}, isSample = false, ...rest } = request;
  const { parametersMetadata } = revision.content;
  const inputs = await checkInputs(parametersMetadata, request.input, processor);
  if (!inputs.ok) return { errors: inputs.errors };
  const budget = await checkBudget({ db, send, clock: runtime.clock }, request.tenantId, agent);
  if (!budget.ok) return { exceeded: budget.exceeded };
  const agentId = agent.id;
  const start = { ...rest, id: executionId, agentId, agentRevision, parametersMetadata };
  return { start: { ...start, metadata, isSample }, values: inputs.values };
};

/** Formats invalid inputs as one line. */
export const inputDetail = (errors: readonly InputProblem[]): string =>
  errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; ");
