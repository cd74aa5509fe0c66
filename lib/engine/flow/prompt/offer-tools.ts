import { trimEnd } from "../../../platform/runtime/trim-end.ts";
import { createUniqueNames } from "../../../platform/runtime/unique-names.ts";
import type { ModelTool } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import { ConsentRequired, ToolError, type ToolName } from "../../tools/tool.ts";
import type { FlowSkill } from "../skill.ts";
import type { StepContext } from "../step-context.ts";
import type { FlowSubAgent } from "../step-type.ts";
import type { Callable } from "./callable.ts";
import type { PromptState } from "./prompt-state.ts";
import { type FoundTool, findTool, type PromptTool, type ToolApproval } from "./prompt-tool.ts";
import { subAgentAsCallable } from "./sub-agent-as-callable.ts";
import { identifyTool, toolAsCallable } from "./tool-as-callable.ts";

/** Tools, sub-agents and skills that a Prompt names. */
export type Named = {
  readonly refs: readonly PromptTool[];
  readonly subAgents: readonly FlowSubAgent[];
  readonly skills: readonly FlowSkill[];
  /** Tools that belong to the Prompt itself. */
  readonly own: readonly Callable[];
};

/** A callable with the name that the model uses, and what its calls need. */
export type OfferedTool = Callable & {
  readonly model: ModelTool;
  readonly approvals: readonly ToolApproval[];
};

/** A callable in place of a tool that cannot be loaded before a person's consent: its calls need it, too. */
type Unconnected = Callable & { readonly required: ConsentRequired };

/** The tools of a Prompt by name, and the consents without which some of them cannot be loaded. */
export type OfferedTools = {
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly required: readonly ConsentRequired[];
};

/**
 * Returns the tools of a Prompt and its skills, without duplicates, by names that models accept. `known`: keys and names of
 * a Prompt that is resumed, which keeps them, and does without tools that were deleted since.
 */
export const offerTools = async (
  { refs, subAgents, skills, own }: Named,
  context: StepContext,
  known?: PromptState["names"],
): Promise<OfferedTools> => {
  const found: FoundTool[] = [
    ...refs.map((ref) => findTool(ref, subAgents)),
    ...skills.flatMap(({ tools }) =>
      tools.map(({ integrationId, id, configId }) => ({
        ref: { integrationId, toolId: id, configId },
      })),
    ),
  ];
  const callables = new Map(own.map((callable) => [callable.key, callable]));
  const approvals = new Map<string, ToolApproval[]>();
  const required: ConsentRequired[] = [];
  for (const tool of found) {
    const callable = await toCallable(tool, context);
    if (!callable) continue;
    if ("required" in callable) required.push(callable.required);
    const { key } = callable;
    callables.set(key, callable);
    if (tool.approval) approvals.set(key, [...(approvals.get(key) ?? []), tool.approval]);
  }
  const offered = new Map<string, OfferedTool>();
  const unique = createUniqueNames(maxNameLength);
  const offer = (callable: Callable, name: string) => {
    const { key, description, parameters } = callable;
    const model = { name, description, parameters };
    offered.set(name, { ...callable, model, approvals: approvals.get(key) ?? [] });
  };
  for (const [key, wanted] of known ?? []) {
    const callable = callables.get(key);
    const name = unique(wanted);
    if (callable) offer(callable, name);
    callables.delete(key);
  }
  for (const callable of callables.values()) offer(callable, unique(toModelName(callable.name)));
  return { tools: offered, required };
};

const toCallable = async (
  tool: FoundTool,
  context: StepContext,
): Promise<Callable | Unconnected | undefined> => {
  try {
    return "subAgent" in tool
      ? await subAgentAsCallable(tool.subAgent, context)
      : await toolAsCallable(tool.ref, context);
  } catch (error) {
    if (error instanceof ConsentRequired && "ref" in tool) return toUnconnected(tool.ref, error);
    const isGone = error instanceof ToolError || error instanceof StepError;
    if (context.suspended !== undefined && isGone) return undefined;
    throw error;
  }
};

const toUnconnected = (name: ToolName, required: ConsentRequired): Unconnected => ({
  ...identifyTool(name),
  description: "",
  parameters: {},
  isReadOnly: false,
  check: async () => {},
  call: async () => {
    throw required;
  },
  required,
});

const maxNameLength = 64;

/** Converts a name to letters, digits, _ and -, starting with a letter. */
const toModelName = (wanted: string): string => {
  const spelled = wanted.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replace(/^[_-]+/, "");
  const plain = trimEnd(spelled, "_-");
  return /^[A-Za-z]/.test(plain) ? plain : `tool_${plain}`;
};
