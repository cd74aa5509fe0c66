import type { Skill } from "../schemas.ts";

type SkillTool = NonNullable<Skill["tools"]>[number];

/** Ids of the built-in tools, which need no integration. */
export const systemToolIds: readonly string[] = [
  "current_time",
  "calculate",
  "json_query",
  "http_get",
  "http_request",
];

/** Names between spaces or commas, optionally with a suffix in parentheses: `Bash(git:*) Read`. */
const names = /[^\s,()]+(?:\([^()]*\))?/g;
const withSlash = /^([A-Za-z0-9][\w.-]{0,127})\/([A-Za-z0-9][\w.-]{0,127})$/;
const withDot = /^([A-Za-z0-9][\w-]{0,127})\.([A-Za-z0-9][\w.-]{0,127})$/;

/** Returns the distinct tools that `allowed-tools` names, and the unknown names. */
export const readAllowedTools = (
  values: readonly string[],
): { tools: SkillTool[]; foreign: string[] } => {
  const tools = new Map<string, SkillTool>();
  const foreign = new Set<string>();
  for (const value of values) {
    for (const [name] of value.matchAll(names)) {
      const tool = toTool(name);
      if (tool) tools.set(`${tool.integrationId}/${tool.id}`, tool);
      else foreign.add(name);
    }
  }
  return { tools: [...tools.values()], foreign: [...foreign] };
};

const toTool = (name: string): SkillTool | undefined => {
  if (systemToolIds.includes(name)) return { integrationId: "system", id: name };
  const [, integrationId, id] = withSlash.exec(name) ?? withDot.exec(name) ?? [];
  return integrationId !== undefined && id !== undefined ? { integrationId, id } : undefined;
};
