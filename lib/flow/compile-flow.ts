import type { ToolRegistry } from "../tools/tool.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { buildGraph, findAncestors, type Graph } from "./graph.ts";
import { isDeeperThan, isRecord, maxJsonDepth, pointerOf } from "./json.ts";
import { Edge } from "./schema.ts";
import type { FlowProblem, StepPlan, StepType } from "./step-type.ts";
import { laterStepTypes, stepTypes } from "./steps/index.ts";
import {
  type CollectedTemplates,
  createTemplateCache,
  type TemplateCache,
} from "./template-cache.ts";

/** A flow that was checked and can run, any number of times. */
export type CompiledFlow = {
  readonly steps: readonly StepPlan[];
  readonly graph: Graph;
  readonly templates: TemplateCache;
};

/** A flow that can run, or everything that is wrong with it. */
export type CompileResult =
  | { readonly ok: true; readonly flow: CompiledFlow }
  | { readonly ok: false; readonly errors: readonly FlowProblem[] };

const maxSteps = 200;
const maxEdges = 2_000;
const maxErrors = 50;

const byType = new Map<string, StepType>(stepTypes.map((type) => [type.type, type]));

/**
 * Checks a flow in full: shapes, ids, edges, cycles, expressions, references. Pointers lead
 * from the flow to what is wrong; at most 50 errors are given. No flow at all is a flow
 * without steps.
 */
export function compileFlow(
  flow: unknown,
  { tools = createToolRegistry() }: { readonly tools?: ToolRegistry } = {},
): CompileResult {
  const document = flow ?? {};
  if (!isRecord(document)) return failed([{ pointer: "", detail: "must be an object" }]);
  if (isDeeperThan(document, maxJsonDepth)) {
    return failed([
      { pointer: "", detail: `must not be nested deeper than ${maxJsonDepth} levels` },
    ]);
  }
  const rawSteps = readList(document, "steps", maxSteps);
  const rawEdges = readList(document, "edges", maxEdges);
  if (rawSteps.problem || rawEdges.problem) {
    return failed([rawSteps.problem, rawEdges.problem].filter((problem) => problem !== undefined));
  }

  const templates = createTemplateCache();
  const steps = rawSteps.items.map((step, index) => readStep(step, index, tools, templates));
  const ids = rawSteps.items.map((step) =>
    isRecord(step) && typeof step.id === "string" ? step.id : undefined,
  );
  const edges = readEdges(rawEdges.items);
  const { graph, problems: graphProblems } = buildGraph(ids, edges.edges);
  const plans = steps.map((step) => step.plan).filter((plan) => plan !== undefined);
  const errors = [
    ...steps.flatMap((step) => step.problems),
    ...findDuplicates(ids),
    ...edges.problems,
    ...graphProblems,
    ...steps.flatMap((step, place) => checkTargets(step, place, ids, graph)),
    ...steps.flatMap((step, place) => checkReferences(step, place, ids, graph)),
  ];
  return errors.length > 0
    ? failed(errors)
    : { ok: true, flow: { steps: plans, graph, templates } };
}

function failed(errors: readonly FlowProblem[]): CompileResult {
  return { ok: false, errors: errors.slice(0, maxErrors) };
}

function readList(
  document: { readonly [key: string]: unknown },
  key: "steps" | "edges",
  limit: number,
): { readonly items: readonly unknown[]; readonly problem?: FlowProblem } {
  const value = (Object.hasOwn(document, key) ? document[key] : undefined) ?? [];
  const pointer = pointerOf(key);
  if (!Array.isArray(value)) return { items: [], problem: { pointer, detail: "must be an array" } };
  if (value.length > limit) {
    return { items: [], problem: { pointer, detail: `must have at most ${limit} items` } };
  }
  return { items: value };
}

type ReadStep = {
  readonly plan?: StepPlan;
  readonly problems: readonly FlowProblem[];
  readonly templates: CollectedTemplates["templates"];
};

function readStep(
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

function readEdges(items: readonly unknown[]): {
  edges: { edge: Edge; index: number }[];
  problems: FlowProblem[];
} {
  const edges: { edge: Edge; index: number }[] = [];
  const problems: FlowProblem[] = [];
  for (const [index, item] of items.entries()) {
    const parsed = Edge.safeParse(item);
    if (parsed.success) edges.push({ edge: parsed.data, index });
    for (const issue of parsed.error?.issues ?? []) {
      const pointer = pointerOf("edges", index, ...issue.path.map(String));
      problems.push({ pointer, detail: issue.message });
    }
  }
  return { edges, problems };
}

function findDuplicates(ids: readonly (string | undefined)[]): FlowProblem[] {
  const first = new Map<string, number>();
  const problems: FlowProblem[] = [];
  for (const [place, id] of ids.entries()) {
    if (id === undefined) continue;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, place);
    else {
      const detail = `The id "${id.slice(0, 64)}" is taken by ${pointerOf("steps", earlier)}.`;
      problems.push({ pointer: pointerOf("steps", place, "id"), detail });
    }
  }
  return problems;
}

function checkTargets(
  { plan }: ReadStep,
  place: number,
  ids: readonly (string | undefined)[],
  graph: Graph,
): FlowProblem[] {
  const reachable = new Set(graph.next[place]?.map((target) => ids[target]));
  return (plan?.targets ?? [])
    .filter(({ target }) => !reachable.has(target))
    .map(({ pointer, target }) => ({
      pointer: pointerOf("steps", place) + pointer,
      detail: ids.includes(target)
        ? `There is no edge from "${plan?.base.id}" to "${target.slice(0, 64)}".`
        : `There is no step "${target.slice(0, 64)}".`,
    }));
}

/** A step's output can be read only where the edges make sure that it is there. */
function checkReferences(
  { templates }: ReadStep,
  place: number,
  ids: readonly (string | undefined)[],
  graph: Graph,
): FlowProblem[] {
  const references = templates.flatMap(({ pointer, template }) =>
    template.expressions.flatMap(({ expression }) =>
      expression.facts.steps.map(({ id }) => ({ pointer, id })),
    ),
  );
  if (references.length === 0) return [];
  const upstream = new Set([...findAncestors(graph, place)].map((ancestor) => ids[ancestor]));
  return references
    .filter(({ id }) => !upstream.has(id))
    .map(({ pointer, id }) => ({
      pointer,
      detail: ids.includes(id)
        ? `The expression reads steps.${id}, but no edges lead from "${id}" to this step.`
        : `The expression reads steps.${id.slice(0, 64)}, but there is no such step.`,
    }));
}
