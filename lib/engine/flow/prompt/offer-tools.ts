import { trimEnd } from "../../../platform/runtime/trim-end.ts";
import { createUniqueNames } from "../../../platform/runtime/unique-names.ts";
import type { ModelTool } from "../../models/model.ts";
import type { FlowSkill } from "../skill.ts";
import type { StepContext } from "../step-context.ts";
import type { FlowSubAgent } from "../step-type.ts";
import type { Callable } from "./callable.ts";
import { findTool, type PromptTool } from "./prompt-tool.ts";
import { subAgentAsCallable } from "./sub-agent-as-callable.ts";
import { toolAsCallable } from "./tool-as-callable.ts";

/** Tools, sub-agents and skills that a Prompt names. */
export type Named = {
  readonly refs: readonly PromptTool[];
  readonly subAgents: readonly FlowSubAgent[];
  readonly skills: readonly FlowSkill[];
  /** Tools that belong to the Prompt itself. */
  readonly own: readonly Callable[];
};

/** A callable with the name that the model uses. */
export type OfferedTool = Callable & { readonly model: ModelTool };

/**
 * Returns the tools of a Prompt and its skills, without duplicates, by names that models accept.
 */
export const offerTools = async (
  { refs, subAgents, skills, own }: Named,
  context: StepContext,
): Promise<ReadonlyMap<string, OfferedTool>> => {
  const found = [
    ...refs.map((ref) => findTool(ref, subAgents)),
    ...skills.flatMap(({ tools }) =>
      tools.map(({ integrationId, id, configId }) => ({
        ref: { integrationId, toolId: id, configId },
      })),
    ),
  ];
  const callables = new Map(own.map((each) => [each.key, each]));
  for (const each of found) {
    const callable =
      "subAgent" in each
        ? await subAgentAsCallable(each.subAgent, context)
        : await toolAsCallable(each.ref, context);
    callables.set(callable.key, callable);
  }
  const offered = new Map<string, OfferedTool>();
  const unique = createUniqueNames(maxNameLength);
  for (const callable of callables.values()) {
    const { description, parameters } = callable;
    const name = unique(toModelName(callable.name));
    offered.set(name, { ...callable, model: { name, description, parameters } });
  }
  return offered;
};

const maxNameLength = 64;

/** Converts a name to letters, digits, _ and -, starting with a letter. */
const toModelName = (wanted: string): string => {
  const spelled = wanted.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replace(/^[_-]+/, "");
  const plain = trimEnd(spelled, "_-");
  return /^[A-Za-z]/.test(plain) ? plain : `tool_${plain}`;
};
