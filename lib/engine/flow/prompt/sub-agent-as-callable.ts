import { checkInputs } from "../../../values/json/check-inputs.ts";
import type { Json } from "../../../values/json/json.ts";
import { StepError } from "../../step-error.ts";
import { ToolError } from "../../tools/tool.ts";
import type { StepContext } from "../step-context.ts";
import type { FlowSubAgent } from "../step-type.ts";
import type { Callable } from "./callable.ts";
import { buildToolSchema } from "./tool-schema.ts";

/** Returns a sub-agent as a callable; the agent itself provides what the revision does not define. */
export const subAgentAsCallable = async (
  { id, agentId, ...own }: FlowSubAgent,
  { agents, processor }: StepContext,
): Promise<Callable> => {
  if (!agents) throw new StepError("execution-failed", "There are no other agents here.");
  const asked = own.parametersMetadata.length === 0 ? await agents.describe(agentId) : own;
  if (!asked) {
    const detail = `There is no agent "${agentId}", or it has no deployed revision.`;
    throw new StepError("execution-failed", detail);
  }
  const { parametersMetadata } = asked;
  const displayName = own.displayName ?? asked.displayName ?? "";
  const slug = displayName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  const readInput = async (given: Json) => {
    const checked = await checkInputs(parametersMetadata, given, processor);
    if (checked.ok) return checked.values;
    throw new ToolError(
      checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; "),
    );
  };
  return {
    key: `SubAgent ${id}`,
    name: /[a-z0-9]/.test(slug) ? slug : id,
    description: own.description ?? asked.description ?? (displayName || id),
    parameters: buildToolSchema(parametersMetadata),
    span: { type: "SubAgent", name: id },
    isReadOnly: false,
    check: async (given) => void (await readInput(given)),
    async call(given, { path, signal }) {
      const input = await readInput(given);
      const call = { agentId, input, path, isModelCall: true as const, signal };
      const { output, executionId } = await agents.run(call);
      return { output, shown: { agentId, executionId, input: given } };
    },
  };
};
