import * as z from "zod";
import { StepError } from "../../step-error.ts";
import { ToolError, type ToolParameters } from "../../tools/tool.ts";
import { defineStep, type StepContext } from "../step-type.ts";
import { checkToolParameters, checkToolRef, loadTool, toolRef } from "../tool-ref.ts";

/** Runs a tool of an integration; outputs its result. */
export const toolStep = defineStep({
  type: "Tool",
  shape: { ...toolRef, parameters: z.record(z.string(), z.string()).nullish() },
  waits: true,
  templated: () => ["parameters"],
  check(step, { tools }) {
    const tool = tools.resolve(step.integrationId, step.toolId);
    return [
      ...checkToolRef(step, tools),
      ...(tool ? checkToolParameters(tool.descriptor, step.parameters ?? {}) : []),
    ];
  },
  async run(step, context) {
    context.note({ tool: `${step.integrationId}/${step.toolId}` });
    const tool = await loadTool(step, context);
    const parameters = await guardParameters(
      await evaluateParameters(step.parameters ?? {}, context),
      context,
    );
    context.note({ input: parameters });
    const [problem] = checkToolParameters(tool.descriptor, parameters);
    if (problem) throw new ToolError(problem.detail);
    const { clock, signal, processor, spanId } = context;
    const traceContext = context.traceContextBelow?.(spanId);
    const result = await tool.run(parameters, { clock, signal, processor, traceContext });
    return { output: await context.guard("toolResult", result) };
  },
});

const evaluateParameters = async (
  templates: ToolParameters,
  { evaluate }: StepContext,
): Promise<ToolParameters> => {
  const parameters: Record<string, string> = {};
  for (const [name, template] of Object.entries(templates)) {
    const value = await evaluate(template);
    if (typeof value !== "string") throw new StepError("execution-failed", notAString(name, value));
    parameters[name] = value;
  }
  return parameters;
};

/** Checks the parameters of a tool, which stay strings. */
const guardParameters = async (
  parameters: ToolParameters,
  context: StepContext,
): Promise<ToolParameters> => {
  const checked = await context.guard("toolArguments", { ...parameters });
  const Texts = z.record(z.string(), z.string());
  return checked === null ? parameters : Texts.parse(checked);
};

const notAString = (name: string, value: unknown): string => {
  const kind =
    value === null
      ? "nothing"
      : Array.isArray(value)
        ? "an array"
        : `a value of type ${typeof value}`;
  return `The parameter "${name}" must be a string, but its expression returns ${kind}: use $string(...).`;
};
