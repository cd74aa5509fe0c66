import * as z from "zod";
import { StepError } from "../../step-error.ts";
import { ConsentRequired, ToolError, type ToolParameters } from "../../tools/tool.ts";
import { describeConsentEnd, findConsent, requestConsent } from "../consent.ts";
import { defineStep, type StepContext, type StepResult } from "../step-type.ts";
import {
  checkToolParameters,
  checkToolRef,
  loadTool,
  toolRef,
  toToolContext,
} from "../tool-ref.ts";

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
    return withConsent(context, async (known) => {
      const tool = await loadTool(step, context);
      const parameters =
        known ??
        (await guardParameters(await evaluateParameters(step.parameters ?? {}, context), context));
      context.note({ input: parameters });
      const [problem] = checkToolParameters(tool.descriptor, parameters);
      if (problem) throw new ToolError(problem.detail);
      const keep = (error: unknown) => {
        throw error instanceof ConsentRequired ? new Unconsented(error, parameters) : error;
      };
      const result = await tool.run(parameters, toToolContext(context)).catch(keep);
      return { output: await context.guard("toolResult", result) };
    });
  },
});

/** A call that needs consent, with its parameters: it is made with the same ones afterwards. */
class Unconsented extends Error {
  readonly required: ConsentRequired;
  readonly parameters: ToolParameters;

  constructor(required: ConsentRequired, parameters: ToolParameters) {
    super(required.message);
    this.required = required;
    this.parameters = parameters;
  }
}

const Suspended = z.object({ parameters: z.record(z.string(), z.string()).nullable() });

/** Runs a call; suspends the attempt until a person has given the consent that it needs. */
const withConsent = async (
  context: StepContext,
  work: (known: ToolParameters | null) => Promise<StepResult>,
): Promise<StepResult> => {
  const { suspended } = context;
  const known = suspended === undefined ? null : Suspended.parse(suspended).parameters;
  try {
    return await work(known);
  } catch (error) {
    const required = error instanceof Unconsented ? error.required : error;
    if (!(required instanceof ConsentRequired)) throw error;
    const { name, end } = findConsent(context, "consent.1", required);
    if (end) throw describeConsentEnd(end, required);
    const parameters = error instanceof Unconsented ? { ...error.parameters } : null;
    const request = requestConsent(required, context);
    return context.suspend({ parameters }, new Map([[name, request]]));
  }
};

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
