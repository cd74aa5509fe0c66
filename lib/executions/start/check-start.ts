import type { Deployed } from "../../agents/revision/load-deployed.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { checkBudget } from "../../spending/budget/check-budget.ts";
import type { AgentBudget } from "../../spending/budget/schemas.ts";
import { checkInputs, type InputProblem } from "../../values/json/check-inputs.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ExecutionDeps } from "../record/execution-record.ts";

/** Whether an execution may start: its inputs with defaults, the invalid inputs, or the used-up budget. */
export type StartCheck =
  | { ok: true; values: JsonObject }
  | { ok: false; errors: readonly InputProblem[] }
  | { ok: false; exceeded: AgentBudget };

/** Checks the inputs of an execution, then its agent's budget. */
export const checkStart = async (
  { db, send, runtime }: Pick<ExecutionDeps, "db" | "send" | "runtime">,
  tenantId: TenantId,
  { agent, revision }: Deployed,
  { input, processor }: { input: unknown; processor: ProcessorBudget },
): Promise<StartCheck> => {
  const inputs = await checkInputs(revision.content.parametersMetadata, input, processor);
  if (!inputs.ok) return inputs;
  const budget = await checkBudget({ db, send, clock: runtime.clock }, tenantId, agent);
  return budget.ok ? inputs : budget;
};

/** Formats invalid inputs as one line. */
export const inputDetail = (errors: readonly InputProblem[]): string =>
  errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; ");
