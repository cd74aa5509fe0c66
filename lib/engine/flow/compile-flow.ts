import { zodErrorMap } from "../../platform/http/zod-error-map.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { type CheckedTemplate, checkTemplates } from "../../values/expression/check-templates.ts";
import { maxTemplates, templateProblems } from "../../values/expression/collect-templates.ts";
import { buildPointer, isDeeperThan, isRecord, maxJsonDepth } from "../../values/json/json.ts";
import { checkMetaSchema, readSchemaValue } from "../../values/json/json-schema.ts";
import { createToolRegistry } from "../tools/registry.ts";
import { checkCallbacks, listAddressed, readsCallbacks } from "./callbacks.ts";
import { checkErrorEdges } from "./check-error-edges.ts";
import { checkReferences, checkTargets, findDuplicates } from "./check-references.ts";
import { checkDeclared, checkWritten } from "./check-written.ts";
import { Edge } from "./edge.ts";
import { buildGraph, type Graph, type PlacedEdge } from "./graph.ts";
import { type ReadStep, readStep } from "./read-step.ts";
import {
  type AgentUse,
  below,
  type FlowProblem,
  type FlowSurroundings,
  type StepPlan,
  toFlowProblems,
} from "./step-type.ts";

/** A checked flow, ready to run any number of times. */
export type CompiledFlow = {
  readonly steps: readonly StepPlan[];
  readonly graph: Graph;
  /** Ids of the agents that its steps may call, including Prompts and inner steps. */
  readonly agentIds: readonly string[];
  /** Every reference to such an agent. */
  readonly agents: readonly AgentUse[];
  /** Ids of the steps with an address that its expressions may read as `callbacks`. */
  readonly callbacks: readonly string[];
};

/** A compiled flow, or all its errors. */
export type CompileResult =
  | { readonly ok: true; readonly flow: CompiledFlow }
  | { readonly ok: false; readonly errors: readonly FlowProblem[] };

/** A checked flow with the ids of the steps that each of its steps reads, or all its errors. */
export type CheckResult =
  | {
      readonly ok: true;
      readonly flow: CompiledFlow;
      readonly reads: ReadonlyMap<string, readonly string[]>;
    }
  | { readonly ok: false; readonly errors: readonly FlowProblem[] };

const maxSteps = 200;
const maxEdges = 2_000;
const maxErrors = 50;

/**
 * Compiles a flow: shapes, ids, edges, cycles. Its expressions were checked when it was created.
 * Returns at most 50 errors, with pointers from the flow. An absent flow has no steps. `tools`
 * defaults to the system's, `subAgents` and `assets` to none.
 */
export const compileFlow = (
  flow: unknown,
  surroundings: Partial<FlowSurroundings> = {},
): CompileResult => compile(flow, surroundings, () => undefined);

/** Compiles a flow and checks its expressions, the steps that they read, and its JSON Schemas. */
export const checkFlow = async (
  flow: unknown,
  { declared, ...surroundings }: Partial<FlowSurroundings> & { declared?: readonly string[] },
  processor: ProcessorBudget,
): Promise<CheckResult> => {
  const texts = new Set<string>();
  const schemas: PlacedSchema[] = [];
  const written: FlowProblem[] = [];
  compile(flow, surroundings, ({ plan, templates }, place) => {
    for (const { text } of templates) if (texts.size < maxTemplates) texts.add(text);
    for (const { pointer, schema } of plan?.schemas ?? []) {
      schemas.push({ pointer: buildPointer("steps", place) + pointer, schema });
    }
    return undefined;
  });
  const checked = await checkTemplates(texts, processor);
  const reads = new Map<string, readonly string[]>();
  const compiled = compile(flow, surroundings, ({ plan, templates }, place) => {
    if (plan) reads.set(plan.base.id, listReads(plan.base.id, templates, checked));
    for (const problem of below(buildPointer("steps", place), checkWritten(plan)))
      written.push(problem);
    if (declared) written.push(...checkDeclared(templates, checked, declared));
    return checked;
  });
  const problems = [...written, ...(await checkSchemas(schemas, processor))];
  if (problems.length === 0) return compiled.ok ? { ...compiled, reads } : compiled;
  return failed([...(compiled.ok ? [] : compiled.errors), ...problems]);
};

/** Returns the ids of the other steps that the templates of a step read. */
const listReads = (
  stepId: string,
  templates: ReadStep["templates"],
  checked: Checked,
): readonly string[] => {
  const read = templates.flatMap(({ text }) => {
    const result = checked.get(text);
    return result?.ok ? result.steps.map(({ id }) => id) : [];
  });
  return [...new Set(read)].filter((id) => id !== stepId);
};

type PlacedSchema = StepPlan["schemas"][number];

/** Validates schemas against the meta-schema; those that can't be read are reported by their step. */
const checkSchemas = async (
  schemas: readonly PlacedSchema[],
  processor: ProcessorBudget,
): Promise<FlowProblem[]> => {
  const problems: FlowProblem[] = [];
  for (const { pointer, schema } of schemas) {
    const read = readSchemaValue(schema);
    const found = read.ok ? await checkMetaSchema(read.schema, processor) : [];
    for (const { pointer: inner, detail } of found) {
      problems.push({ pointer: pointer + inner, detail: `is not a JSON Schema: ${detail}` });
    }
  }
  return problems;
};

type Checked = ReadonlyMap<string, CheckedTemplate>;

const compile = (
  flow: unknown,
  { tools = createToolRegistry(), subAgents = [], assets = [] }: Partial<FlowSurroundings>,
  checkStep: (step: ReadStep, place: number) => Checked | undefined,
): CompileResult => {
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

  const surroundings = { tools, subAgents, assets };
  const steps = rawSteps.items.map((step, index) => readStep(step, index, surroundings));
  const checked = steps.map(checkStep);
  const ids = rawSteps.items.map((step) =>
    isRecord(step) && typeof step.id === "string" ? step.id : undefined,
  );
  const edges = readEdges(rawEdges.items);
  const { graph, problems: graphProblems } = buildGraph(ids, [
    ...edges.edges,
    ...impliedEdges(steps, ids, edges.edges),
  ]);
  const plans = steps.map((step) => step.plan).filter((plan) => plan !== undefined);
  // A step without a plan may choose targets, which would be further edges.
  const hasAllEdges = plans.length === steps.length;
  const hasOnError = (place: number) => Boolean(steps[place]?.plan?.base.onError);
  const errors = [
    ...steps.flatMap(({ problems, templates }, place) => [
      ...problems,
      ...(checked[place] ? templateProblems(templates, checked[place]) : []),
    ]),
    ...findDuplicates(ids),
    ...edges.problems,
    ...graphProblems,
    ...steps.flatMap((step, place) => checkTargets(step, place, ids)),
    ...checkErrorEdges(edges.edges, plans),
    ...steps.flatMap((step, place) =>
      checked[place]
        ? [
            ...checkReferences(
              step,
              place,
              { ids, graph, hasAllEdges, hasOnError },
              checked[place],
            ),
            ...(hasAllEdges ? checkCallbacks(step, listAddressed(steps), checked[place]) : []),
          ]
        : [],
    ),
  ];
  if (errors.length > 0) return failed(errors);
  const agents = plans.flatMap((plan, at) =>
    plan.agents.map(({ agentId, pointer }) => ({
      agentId,
      pointer: buildPointer("steps", at) + pointer,
    })),
  );
  const agentIds = [...new Set(agents.map(({ agentId }) => agentId))];
  const callbacks = readsCallbacks(steps) ? listAddressed(steps) : [];
  return { ok: true, flow: { steps: plans, graph, agentIds, agents, callbacks } };
};

const failed = (
  errors: readonly FlowProblem[],
): { readonly ok: false; readonly errors: readonly FlowProblem[] } => ({
  ok: false,
  errors: errors.slice(0, maxErrors),
});

const readList = (
  document: { readonly [key: string]: unknown },
  key: "steps" | "edges",
  limit: number,
): { readonly items: readonly unknown[]; readonly problem?: FlowProblem } => {
  const value = (Object.hasOwn(document, key) ? document[key] : undefined) ?? [];
  const pointer = buildPointer(key);
  if (!Array.isArray(value)) return { items: [], problem: { pointer, detail: "must be an array" } };
  if (value.length > limit) {
    return { items: [], problem: { pointer, detail: `must have at most ${limit} items` } };
  }
  return { items: value };
};

const readEdges = (
  items: readonly unknown[],
): {
  edges: PlacedEdge[];
  problems: FlowProblem[];
} => {
  const edges: PlacedEdge[] = [];
  const problems: FlowProblem[] = [];
  for (const [index, item] of items.entries()) {
    const parsed = Edge.safeParse(item, { error: zodErrorMap });
    if (parsed.success) edges.push({ edge: parsed.data, pointer: buildPointer("edges", index) });
    problems.push(...toFlowProblems(parsed.error, "edges", index));
  }
  return { edges, problems };
};

/** Returns the edges that choices imply: a target waits for the step that chooses it. */
const impliedEdges = (
  steps: readonly ReadStep[],
  ids: readonly (string | undefined)[],
  edges: readonly PlacedEdge[],
): PlacedEdge[] => {
  const plain = edges.filter(({ edge }) => edge.on !== "error");
  const known = new Set(plain.map(({ edge }) => `${edge.source}\n${edge.target}`));
  const implied: PlacedEdge[] = [];
  for (const [place, { plan }] of steps.entries()) {
    for (const { target, pointer } of plan?.targets ?? []) {
      const source = plan?.base.id ?? "";
      const key = `${source}\n${target}`;
      if (known.has(key) || !ids.includes(target)) continue;
      known.add(key);
      implied.push({ edge: { source, target }, pointer: buildPointer("steps", place) + pointer });
    }
  }
  return implied;
};
