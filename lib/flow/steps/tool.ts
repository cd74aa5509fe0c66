import * as z from "zod";
import type { Tool, ToolRegistry } from "../../tools/tool.ts";
import { pointerOf } from "../json.ts";
import { StepError } from "../step-error.ts";
import { defineStep, type FlowProblem, type StepContext } from "../step-type.ts";

type Parameters = { readonly [name: string]: string };

/** Runs a tool of an integration; its output is the tool's. */
export const toolStep = defineStep({
  type: "Tool",
  shape: {
    integrationId: z.string().min(1),
    toolId: z.string().min(1),
    parameters: z.record(z.string(), z.string()).nullish(),
  },
  waits: true,
  later: ["configId"],
  templated: () => ["parameters"],
  check(step, tools) {
    const tool = tools.resolve(step.integrationId, step.toolId);
    if (!tool) return [unknownTool(step.integrationId, step.toolId, tools)];
    return checkParameters(tool, step.parameters ?? {});
  },
  async run(step, context) {
    const tool = context.tools.resolve(step.integrationId, step.toolId);
    if (!tool) {
      const { detail } = unknownTool(step.integrationId, step.toolId, context.tools);
      throw new StepError("execution-failed", detail);
    }
    const parameters = await evaluateParameters(step.parameters ?? {}, context);
    context.note({ input: parameters });
    return { output: await tool.run(parameters, { clock: context.clock, signal: context.signal }) };
  },
});

function unknownTool(integrationId: string, toolId: string, tools: ToolRegistry): FlowProblem {
  const known = tools.list().get(integrationId);
  return known
    ? {
        pointer: pointerOf("toolId"),
        detail: `"${integrationId}" has no tool "${toolId}". It has: ${known.map(({ descriptor }) => descriptor.id).join(", ")}.`,
      }
    : {
        pointer: pointerOf("integrationId"),
        detail: `There is no integration "${integrationId}". Known: ${[...tools.list().keys()].join(", ")}.`,
      };
}

function checkParameters({ descriptor }: Tool, parameters: Parameters): FlowProblem[] {
  const known = new Map(descriptor.parametersMetadata.map((metadata) => [metadata.name, metadata]));
  const problems: FlowProblem[] = [];
  for (const name of Object.keys(parameters)) {
    if (known.has(name)) continue;
    const pointer = pointerOf("parameters", name);
    const names = [...known.keys()].join(", ");
    problems.push({
      pointer,
      detail: `${descriptor.id} has no parameter "${name}". It has: ${names}.`,
    });
  }
  for (const { name, required } of known.values()) {
    if (!required || Object.hasOwn(parameters, name)) continue;
    const detail = `${descriptor.id} needs the parameter "${name}".`;
    problems.push({ pointer: pointerOf("parameters", name), detail });
  }
  return problems;
}

async function evaluateParameters(
  templates: Parameters,
  { evaluate }: StepContext,
): Promise<Parameters> {
  const parameters: Record<string, string> = {};
  for (const [name, template] of Object.entries(templates)) {
    const value = await evaluate(template);
    if (typeof value !== "string") throw new StepError("execution-failed", notAString(name, value));
    parameters[name] = value;
  }
  return parameters;
}

function notAString(name: string, value: unknown): string {
  const kind =
    value === null
      ? "nothing"
      : Array.isArray(value)
        ? "an array"
        : `a value of type ${typeof value}`;
  return `The parameter "${name}" must be a string, but its expression gives ${kind}: use $string(...).`;
}
