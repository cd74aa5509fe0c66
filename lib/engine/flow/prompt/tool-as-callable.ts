import { formatValue, isJsonObject, type Json, setMember } from "../../../values/json/json.ts";
import {
  type ToolDescriptor,
  ToolError,
  type ToolName,
  type ToolParameters,
} from "../../tools/tool.ts";
import type { StepContext } from "../step-context.ts";
import { checkToolParameters, loadTool, toToolContext } from "../tool-ref.ts";
import type { Callable } from "./callable.ts";
import { buildToolSchema } from "./tool-schema.ts";

/** Returns the members of a tool's callable that follow from its name. */
export const identifyTool = ({
  integrationId,
  toolId,
  configId,
}: ToolName): Pick<Callable, "key" | "name" | "span"> => ({
  key: `Tool ${integrationId}/${configId ?? ""}/${toolId}`,
  name: toolId,
  span: { type: "Tool", name: `${integrationId}/${toolId}` },
});

/** Returns an integration's tool as a callable. Throws as `loadTool` does. */
export const toolAsCallable = async (name: ToolName, context: StepContext): Promise<Callable> => {
  const tool = await loadTool(name, context);
  const { description, displayName, parametersMetadata } = tool.descriptor;
  return {
    ...identifyTool(name),
    description: description || displayName,
    parameters: buildToolSchema(parametersMetadata),
    isReadOnly: tool.descriptor.actionType === "ReadOnly",
    check: async (given) => void toParameters(tool.descriptor, given),
    async call(given, { path, signal }) {
      const parameters = toParameters(tool.descriptor, given);
      const call = toToolContext({ ...context, spanId: path, signal });
      return { output: await tool.run(parameters, call) };
    },
  };
};

/** Converts arguments to strings, the only type of tool parameters. */
const toParameters = (descriptor: ToolDescriptor, given: Json): ToolParameters => {
  if (!isJsonObject(given)) throw new ToolError("The arguments must be an object.");
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value !== null) setMember(parameters, name, formatValue(value));
  }
  const [problem] = checkToolParameters(descriptor, parameters);
  if (problem) throw new ToolError(problem.detail);
  return parameters;
};
