import * as z from "zod";
import { withKnownNames } from "../../../platform/http/nearest-name.ts";
import { buildPointer } from "../../../values/json/json.ts";
import type { FlowProblem, FlowSubAgent, FlowSurroundings } from "../step-type.ts";
import { checkToolRef, type ToolRef, toolRef } from "../tool-ref.ts";

/** Reference of a Prompt to a tool: a sub-agent's id, the id of a `system` tool, or integration and tool. */
export const PromptTool = z.union(
  [z.string().min(1), z.object(toolRef)],
  'must be an id, or {"integrationId": …, "toolId": …}',
);
export type PromptTool = z.output<typeof PromptTool>;

/** The sub-agent or tool that a reference resolves to. */
export type FoundTool = { readonly subAgent: FlowSubAgent } | { readonly ref: ToolRef };

/** Resolves a reference; a sub-agent takes precedence over a tool of the same name. */
export const findTool = (name: PromptTool, subAgents: readonly FlowSubAgent[]): FoundTool => {
  if (typeof name !== "string") return { ref: name };
  const subAgent = subAgents.find(({ id }) => id === name);
  return subAgent ? { subAgent } : { ref: { integrationId: "system", toolId: name } };
};

/** Finds the problems of a reference. */
export const checkPromptTool = (
  name: PromptTool,
  { tools, subAgents }: FlowSurroundings,
): readonly FlowProblem[] => {
  const found = findTool(name, subAgents);
  if ("subAgent" in found) return [];
  if (typeof name !== "string") return checkToolRef(found.ref, tools);
  if (tools.resolve("system", name)) return [];
  const system = tools.list().get("system") ?? [];
  const known = [
    ...subAgents.map(({ id }) => id),
    ...system.map(({ descriptor }) => descriptor.id),
  ];
  const detail = `There is no sub-agent and no system tool "${name.slice(0, 128)}"`;
  return [{ pointer: buildPointer(), detail: withKnownNames(detail, name, known) }];
};
