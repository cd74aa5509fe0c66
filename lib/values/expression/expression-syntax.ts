import { isRecord } from "../json/json.ts";

/** An input that an expression reads. */
export type ReadInput = { readonly root: "input" | "parameters"; readonly name: string };

/** Returns the input that a path such as `input.city` reads. */
export const inputOfPath = ([first, second]: readonly string[]): ReadInput[] =>
  (first === "input" || first === "parameters") && second !== undefined
    ? [{ root: first, name: second }]
    : [];

/** Returns the step of a path such as `callbacks.done`, which reads its address. */
export const callbacksOfPath = ([first, second]: readonly string[]): string[] =>
  first === "callbacks" && second !== undefined ? [second] : [];

/** A step that an expression reads, and the member of it, such as `output`, if the expression names one. */
export type StepRead = { readonly id: string; readonly member?: string };

/** Returns the step of a path such as `steps.ask.output`. */
export const stepsOfPath = ([first, second, third]: readonly string[]): StepRead[] =>
  first === "steps" && second !== undefined
    ? [{ id: second, ...(third !== undefined && { member: third }) }]
    : [];

/** Facts from an expression's syntax tree. */
export type ExpressionFacts = {
  /** Names of all variables, and therefore of every function that it can call. */
  readonly variables: ReadonlySet<string>;
  /** Steps that it always reads by `steps.<id>`. */
  readonly steps: readonly StepRead[];
  /** Inputs that it always reads by `input.<name>` or `parameters.<name>`. */
  readonly inputs: readonly ReadInput[];
  /** Steps with an address that it always reads by `callbacks.<id>`. */
  readonly callbacks: readonly string[];
  /** Nodes evaluated for each comparison of an order-by. */
  readonly sortTerms: ReadonlySet<object>;
  /** Nodes that select what a transform changes. */
  readonly patterns: ReadonlySet<object>;
  /** Nodes with a result that is called. */
  readonly procedures: ReadonlySet<object>;
  /** Whether it groups: jsonata adds a member to an empty array that is grouped. */
  readonly groups: boolean;
  /** Whether it changes copies of values in place. */
  readonly transforms: boolean;
  /** Reason for which it is refused. */
  readonly refusal: string | undefined;
};

const ownContext = new Set([
  "block",
  "condition",
  "binary",
  "function",
  "apply",
  "bind",
  "partial",
]);
const harmlessSignature = /^<[a-z()<>?+:-]{0,30}>$/;

const isHarmless = (signature: string): boolean => {
  const repeats = signature.match(/[?+-]/g)?.length ?? 0;
  const pluses = signature.match(/\+/g)?.length ?? 0;
  return harmlessSignature.test(signature) && repeats <= 8 && pluses <= 1;
};

/** Extracts the facts from a syntax tree. */
export const readSyntax = (tree: unknown): ExpressionFacts => {
  const variables = new Set<string>();
  const steps: StepRead[] = [];
  const inputs: ReadInput[] = [];
  const callbacks: string[] = [];
  const sortTerms = new Set<object>();
  const patterns = new Set<object>();
  const procedures = new Set<object>();
  const seen = new Set<object>();
  let groups = false;
  let transforms = false;
  let refusal: string | undefined;

  const visitAll = (value: unknown, atRoot: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visitAll(item, atRoot);
    else if (isRecord(value)) visit(value, atRoot);
  };

  const visit = (node: { readonly [key: string]: unknown }, atRoot: boolean): void => {
    if (seen.has(node) || node instanceof RegExp) return;
    seen.add(node);
    const { type } = node;
    if (type === "variable" && typeof node.value === "string") variables.add(node.value);
    if (type === "transform") {
      transforms = true;
      if (isRecord(node.pattern)) patterns.add(node.pattern);
    }
    if (isRecord(node.procedure)) procedures.add(node.procedure);
    const isBound = type === "bind" && isRecord(node.lhs) && node.lhs.value === "clone";
    if (isBound || node.focus === "clone" || bindsIndex(node)) refusal = "must not replace $clone";
    if (type === "lambda") visitLambda(node);
    if (type === "sort") visitSortTerms(node.terms);
    if (type === "path") visitPath(node, atRoot);
    else visitMembers(node, atRoot);
  };

  const visitMembers = (node: { readonly [key: string]: unknown }, atRoot: boolean): void => {
    const { type } = node;
    if (isRecord(node.group)) groups = true;
    const isObject = type === "unary" || type === "lambda" || ownContext.has(String(type));
    for (const [key, value] of Object.entries(node)) {
      visitAll(value, atRoot && isObject && key !== "predicate" && key !== "group");
    }
  };

  const visitLambda = (node: { readonly [key: string]: unknown }): void => {
    if (isRecord(node.signature) && !isHarmless(String(node.signature.definition))) {
      refusal = "has a function signature that is too complex";
    }
    const parameters = Array.isArray(node.arguments) ? node.arguments : [];
    if (parameters.some((parameter) => isRecord(parameter) && parameter.value === "clone")) {
      refusal = "must not replace $clone";
    }
  };

  const visitSortTerms = (terms: unknown): void => {
    if (!Array.isArray(terms)) return;
    for (const term of terms) {
      if (isRecord(term) && isRecord(term.expression)) sortTerms.add(term.expression);
    }
  };

  const visitPath = (node: { readonly [key: string]: unknown }, atRoot: boolean): void => {
    const path: readonly unknown[] = Array.isArray(node.steps) ? node.steps : [];
    const [first, second, third, fourth] = path;
    const isOfDocument = isRecord(first) && first.type === "variable" && first.value === "$";
    if (isOfDocument) noteRead(second, third, fourth);
    else if (atRoot && isRecord(first) && !("stages" in first)) noteRead(first, second, third);
    if (node.group !== undefined) groups = true;
    for (const [index, step] of path.entries()) visitAll(step, atRoot && index === 0);
    for (const [key, value] of Object.entries(node)) if (key !== "steps") visitAll(value, false);
  };

  const noteRead = (root: unknown, member: unknown, below: unknown): void => {
    if (!isRecord(member) || member.type !== "name" || typeof member.value !== "string") return;
    const named = isRecord(below) && below.type === "name" ? [String(below.value)] : [];
    if (isName(root, "steps")) steps.push(...stepsOfPath(["steps", member.value, ...named]));
    if (isName(root, "callbacks")) callbacks.push(member.value);
    for (const name of ["input", "parameters"]) {
      if (isName(root, name)) inputs.push(...inputOfPath([name, member.value]));
    }
  };

  visitAll(tree, true);
  if (variables.has("eval")) refusal = "must not use $eval";
  const nodes = { sortTerms, patterns, procedures };
  return { variables, steps, inputs, callbacks, ...nodes, groups, transforms, refusal };
};

const isName = (node: unknown, name: string): node is { readonly [key: string]: unknown } =>
  isRecord(node) && node.type === "name" && node.value === name;

/** Whether a step binds `$clone` by `#$clone`. */
const bindsIndex = ({ index, stages }: { readonly [key: string]: unknown }): boolean => {
  const all: readonly unknown[] = Array.isArray(stages) ? stages : [];
  return index === "clone" || all.some((node) => isRecord(node) && node.value === "clone");
};
