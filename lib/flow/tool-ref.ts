import * as z from "zod";
import type { ToolDescriptor, ToolParameters, ToolRegistry } from "../tools/tool.ts";
import { pointerOf } from "./json.ts";
import type { FlowProblem } from "./step-type.ts";

/** Where a flow names a tool. */
export const toolRef = {
  integrationId: z.string().min(1),
  toolId: z.string().min(1),
  configId: z.string().nullish(),
};

/** The members of a tool's name in a flow. */
export type ToolRef = z.output<z.ZodObject<typeof toolRef>>;

/** What is wrong with a tool's name. */
export function checkToolRef(ref: ToolRef, tools: ToolRegistry): FlowProblem[] {
  const { integrationId, toolId, configId } = ref;
  const problems = tools.resolve(integrationId, toolId)
    ? []
    : [unknownTool(integrationId, toolId, tools)];
  if (configId === null || configId === undefined) return problems;
  const detail = "Configurations of integrations are not available yet.";
  return [...problems, { pointer: pointerOf("configId"), detail }];
}

/** What is wrong with a tool's name that leads to no tool. */
export function unknownTool(
  integrationId: string,
  toolId: string,
  tools: ToolRegistry,
): FlowProblem {
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

/** What is wrong with the names of a tool's parameters. */
export function checkToolParameters(
  descriptor: ToolDescriptor,
  parameters: ToolParameters,
): FlowProblem[] {
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
