import * as z from "zod";
import { withKnownNames } from "../../../platform/http/nearest-name.ts";
import { isTemplate } from "../../../values/expression/template-text.ts";
import { buildPointer } from "../../../values/json/json.ts";
import { approverMembers } from "../approvers.ts";
import type { FlowProblem, FlowSubAgent, FlowSurroundings } from "../step-type.ts";
import { checkToolRef, type ToolRef, toolRef } from "../tool-ref.ts";

const approvalMembers = {
  /** Whether a person must approve a call: always, as an expression says, or unless the tool only reads. */
  approval: z.union([z.boolean(), z.string().min(1)]).nullish(),
  ...approverMembers,
};

/**
 * Reference of a Prompt to a tool: a sub-agent's id, the id of a `system` tool, or integration and tool. An object without
 * an integration names a sub-agent or a `system` tool, too.
 */
export const PromptTool = z.union(
  [
    z.string().min(1),
    z.object({ ...toolRef, integrationId: toolRef.integrationId.nullish(), ...approvalMembers }),
  ],
  'must be an id, or {"integrationId": …, "toolId": …}',
);
export type PromptTool = z.output<typeof PromptTool>;

/** The calls of a tool that need an approval, and its approvers. */
export type ToolApproval = z.output<z.ZodObject<typeof approvalMembers>> & {
  readonly approval: string | true;
};

/** The sub-agent or tool that a reference resolves to, and its approvals. */
export type FoundTool = ({ readonly subAgent: FlowSubAgent } | { readonly ref: ToolRef }) & {
  readonly approval?: ToolApproval;
};

/** Resolves a reference; a sub-agent takes precedence over a tool of the same name. */
export const findTool = (tool: PromptTool, subAgents: readonly FlowSubAgent[]): FoundTool => {
  if (typeof tool === "string") return findById(tool, subAgents);
  const { integrationId, toolId, configId, approval, approvers, allowStarter } = tool;
  const found =
    integrationId == null
      ? findById(toolId, subAgents)
      : { ref: { integrationId, toolId, configId } };
  if (!approval) return found;
  return { ...found, approval: { approval, approvers, allowStarter } };
};

const findById = (id: string, subAgents: readonly FlowSubAgent[]): FoundTool => {
  const subAgent = subAgents.find((known) => known.id === id);
  return subAgent ? { subAgent } : { ref: { integrationId: "system", toolId: id } };
};

/** Finds the problems of a reference. */
export const checkPromptTool = (
  tool: PromptTool,
  surroundings: FlowSurroundings,
): readonly FlowProblem[] =>
  typeof tool === "string"
    ? checkId(tool, "", surroundings)
    : [...checkReference(tool, surroundings), ...checkApproval(tool)];

type ToolObject = Exclude<PromptTool, string>;

const checkReference = (
  { integrationId, toolId, configId }: ToolObject,
  surroundings: FlowSurroundings,
): readonly FlowProblem[] => {
  if (integrationId != null) {
    return checkToolRef({ integrationId, toolId, configId }, surroundings.tools);
  }
  const problems = checkId(toolId, buildPointer("toolId"), surroundings);
  if (configId == null) return problems;
  return [
    ...problems,
    { pointer: buildPointer("configId"), detail: 'must be absent without "integrationId"' },
  ];
};

const checkId = (
  id: string,
  pointer: string,
  { tools, subAgents }: FlowSurroundings,
): readonly FlowProblem[] => {
  if (subAgents.some((known) => known.id === id) || tools.resolve("system", id)) return [];
  const system = tools.list().get("system") ?? [];
  const known = [
    ...subAgents.map((subAgent) => subAgent.id),
    ...system.map(({ descriptor }) => descriptor.id),
  ];
  const detail = `There is no sub-agent and no system tool "${id.slice(0, 128)}"`;
  return [{ pointer, detail: withKnownNames(detail, id, known) }];
};

const checkApproval = ({ approval, approvers, allowStarter }: ToolObject): FlowProblem[] => {
  if (typeof approval === "string" && approval !== "writes" && !isTemplate(approval)) {
    const detail =
      'must be true, "writes" or an expression such as "{% arguments.amount > 1000 %}"';
    return [{ pointer: buildPointer("approval"), detail }];
  }
  if (approval) return [];
  const unused = Object.entries({ approvers, allowStarter }).filter(([, value]) => value != null);
  return unused.map(([name]) => ({
    pointer: buildPointer(name),
    detail: 'must be absent without "approval"',
  }));
};
