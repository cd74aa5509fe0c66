import { isRecord } from "../json/json.ts";
import { EvaluationBudget } from "./evaluation-budget.ts";
import { LimitError } from "./expression-error.ts";
import type { ExpressionFacts } from "./expression-syntax.ts";
import { addFunction, imitatesFunction, isFunctionValue } from "./function-values.ts";

/** Variable that holds an evaluation's budget; no expression can contain its name. */
export const budgetName = "budget of this evaluation";

const unitsOfComparison = 1_000;
const budgets = new WeakMap<object, EvaluationBudget>();

/** Returns the budget of the evaluation that an environment of jsonata belongs to. */
export const requireBudget = (environment: unknown): EvaluationBudget => {
  const base = isRecord(environment) ? environment.base : undefined;
  if (!isRecord(base)) throw new LimitError("calls a function in no evaluation");
  const known = budgets.get(base);
  if (known) return known;
  // Read at the first node, before the expression could bind anything.
  const { lookup } = base;
  const budget: unknown = typeof lookup === "function" ? lookup(budgetName) : undefined;
  if (!(budget instanceof EvaluationBudget)) {
    throw new LimitError("calls a function in no evaluation");
  }
  budgets.set(base, budget);
  return budget;
};

/** A node of jsonata's syntax tree. */
type Node = { readonly type?: unknown; readonly position?: unknown; readonly keepArray?: unknown };

/**
 * Creates the function that jsonata calls with the result of every node. It charges the budget, and refuses what would
 * reach beyond the evaluation's own values.
 */
export const exitHookFor =
  ({ sortTerms, patterns, procedures }: ExpressionFacts) =>
  (node: Node, input: unknown, environment: unknown, result: unknown): void => {
    const budget = requireBudget(environment);
    budget.check();
    const { type } = node;
    if (type === "path") unmark(result);
    else if (type === "unary") restoreEmpty(input);
    else if (type === "binary" && typeof result === "string") budget.spend(result.length);
    else if (type === "lambda" || type === "partial" || type === "transform") {
      recordFunctions(result);
    }
    if (sortTerms.size > 0 && sortTerms.has(node)) budget.spend(unitsOfComparison);
    if (procedures.size > 0 && procedures.has(node)) refuseData(valueSeen(node, result), node);
    budget.note(result);
    if (patterns.size > 0 && patterns.has(node))
      refuseOthers(valueSeen(node, result), budget.getCopiedObjects(input));
  };

/** A predicate makes a sequence of a function. */
const recordFunctions = (result: unknown): void => {
  for (const item of Array.isArray(result) ? result : [result]) {
    if (typeof item === "object" && item !== null && imitatesFunction(item)) addFunction(item);
  }
};

/** jsonata adds a member to an empty array of the input for which an object is constructed. */
const restoreEmpty = (input: unknown): void => {
  if (Array.isArray(input) && input.length === 1 && input[0] === undefined) input.length = 0;
};

/**
 * jsonata marks arrays of the input at paths that end with `[]`, which later expressions would see.
 */
const unmark = (result: unknown): void => {
  if (Array.isArray(result) && Reflect.get(result, "sequence") !== true) {
    Reflect.deleteProperty(result, "keepSingleton");
  }
};

/** Returns the value that jsonata takes a node's result for: a sequence of one value is that value. */
const valueSeen = ({ keepArray }: Node, result: unknown): unknown => {
  if (!Array.isArray(result) || Reflect.get(result, "sequence") !== true) return result;
  if (Reflect.get(result, "tupleStream") || result.length > 1) return result;
  if (keepArray || Reflect.get(result, "keepSingleton")) return result;
  return result[0];
};

/** jsonata writes the place of a call into what is called. */
const refuseData = (value: unknown, { position }: Node): void => {
  if (typeof value !== "object" || value === null || isFunctionValue(value)) return;
  throw Object.assign(new Error("Attempted to invoke a non-function"), { code: "T1006", position });
};

/** A transform writes into whatever its pattern matches. */
const refuseOthers = (matches: unknown, copy: WeakSet<object> | undefined): void => {
  for (const match of Array.isArray(matches) ? matches : [matches]) {
    const isObject = typeof match === "function" || (typeof match === "object" && match !== null);
    if (!isObject || copy?.has(match)) continue;
    throw new LimitError(
      isFunctionValue(match)
        ? "tries to change a function; a transform may only change objects of the value that it is applied to"
        : "tries to change another value; a transform may only change objects of the value that it is applied to",
    );
  }
};
