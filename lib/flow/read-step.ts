import type { ToolRegistry } from "../tools/tool.ts";
import { isRecord, pointerOf } from "./json.ts";
import type { FlowProblem, StepPlan, StepType } from "./step-type.ts";
import { laterStepTypes, stepTypes } from "./steps/index.ts";
import type { CollectedTemplates, TemplateCache } from "./template-cache.ts";

const byType = new Map<string, StepType>(stepTypes.map((type) => [type.type, type]));

/** A step as far as it could be read, and what is wrong with it. */
export type ReadStep = {
  readonly plan?: StepPlan;
  readonly problems: readonly FlowProblem[];
  readonly templates: CollectedTemplates["templates"];
};

/** Reads one step with all of its templates. */
export function readStep(
  raw: unknown,
  index: number,
  tools: ToolRegistry,
  cache: TemplateCache,
): ReadStep {
  const at = pointerOf("steps", index);
  const nothing = { templates: [] };
  if (!isRecord(raw))
    return { ...nothing, problems: [{ pointer: at, detail: "must be an object" }] };
  const type = Object.hasOwn(raw, "type") ? raw.type : undefined;
  const stepType = typeof type === "string" ? byType.get(type) : undefined;
  if (!stepType) {
    return { ...nothing, problems: [{ pointer: `${at}/type`, detail: describeType(type) }] };
  }
  const plan = stepType.plan(raw, tools);
  if (!("base" in plan)) return { ...nothing, problems: plan.map((problem) => below(at, problem)) };
  const found = plan.templated.map(({ pointer, value }) => cache.collect(value, at + pointer));
  return {
    plan,
    problems: [
      ...plan.problems.map((problem) => below(at, problem)),
      ...found.flatMap(({ problems }) => problems),
    ],
    templates: found.flatMap((collected) => collected.templates),
  };
}

function below(at: string, { pointer, detail }: FlowProblem): FlowProblem {
  return { pointer: at + pointer, detail };
}

function describeType(type: unknown): string {
  if (typeof type === "string" && laterStepTypes.includes(type)) {
    return `Steps of type "${type}" are not available yet.`;
  }
  return `must be one of ${[...byType.keys()].join(", ")}`;
}
