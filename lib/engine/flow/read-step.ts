import { didYouMean } from "../../platform/http/nearest-name.ts";
import {
  collectTemplates,
  type PlacedTemplate,
} from "../../values/expression/collect-templates.ts";
import { buildPointer, isRecord } from "../../values/json/json.ts";
import {
  below,
  type FlowProblem,
  type FlowSurroundings,
  type StepPlan,
  type StepType,
} from "./step-type.ts";
import { stepTypes } from "./steps/index.ts";

const byType = new Map<string, StepType>(stepTypes.map((type) => [type.type, type]));
/** Types that cannot run inside a ForEach. */
export const neverInside: ReadonlySet<string> = new Set(["Condition", "Output"]);
/** Maximum nesting of ForEach steps. */
const maxNesting = 3;

/** A step as far as it is valid, and its problems. */
export type ReadStep = {
  readonly plan?: StepPlan;
  readonly problems: readonly FlowProblem[];
  readonly templates: readonly PlacedTemplate[];
};

/** Reads one step and its templates. */
export const readStep = (raw: unknown, index: number, surroundings: FlowSurroundings): ReadStep => {
  const at = buildPointer("steps", index);
  const plan = planStep(raw, surroundings, 0);
  if (!("base" in plan)) return { templates: [], problems: below(at, plan) };
  const templates = plan.templated.flatMap(({ pointer, value }) =>
    collectTemplates(value, at + pointer),
  );
  return { plan, problems: below(at, plan.problems), templates };
};

const planStep = (
  raw: unknown,
  surroundings: FlowSurroundings,
  depth: number,
): StepPlan | readonly FlowProblem[] => {
  if (!isRecord(raw)) return [{ pointer: "", detail: "must be an object" }];
  const types = [...byType.keys()].filter((name) => depth === 0 || !neverInside.has(name));
  const type = Object.hasOwn(raw, "type") ? raw.type : undefined;
  const stepType = typeof type === "string" && types.includes(type) ? byType.get(type) : undefined;
  if (!stepType) {
    const detail = `must be one of ${types.join(", ")}`;
    return [
      { pointer: "/type", detail: didYouMean(detail, typeof type === "string" ? type : "", types) },
    ];
  }
  return stepType.plan(depth === 0 ? raw : withId(raw), {
    ...surroundings,
    planInner: (inner) =>
      depth < maxNesting ? planStep(inner, surroundings, depth + 1) : tooDeep(),
  });
};

/** Adds an id to an inner step, which needs none: its position identifies it. */
const withId = (raw: { readonly [key: string]: unknown }): object => ({
  ...raw,
  id: raw.id ?? "item",
});

const tooDeep = (): FlowProblem[] => [
  { pointer: "", detail: `ForEach steps may be nested at most ${maxNesting} deep.` },
];
