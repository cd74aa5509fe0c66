import jsonata from "jsonata";
import type { Json } from "../json/json.ts";
import { followPlainPath, readPlainPath } from "../json/plain-path.ts";
import { EvaluationBudget, maxResultBytes, maxValueBytes } from "./evaluation-budget.ts";
import { budgetName, exitHookFor } from "./evaluation-hook.ts";
import type { Scope } from "./evaluation-scope.ts";
import {
  describeExpressionFailure,
  ExpressionError,
  jsonataMessage,
  LimitError,
  readPosition,
} from "./expression-error.ts";
import {
  callbacksOfPath,
  type ExpressionFacts,
  inputOfPath,
  readSyntax,
  stepsOfPath,
} from "./expression-syntax.ts";
import { guardedFunctions } from "./guarded-functions.ts";
import { createSizeCache, type SizeCache } from "./size-cache.ts";
import { toJson } from "./to-json.ts";

/** Settings of one evaluation. */
export type EvaluateOptions = {
  /** Maximum bytes of JSON of the result; default 1 MiB. */
  readonly maxResultBytes?: number;
  /** Variables, such as `$input`. */
  readonly bindings?: Scope;
  /** Known sizes of the scope's values. */
  readonly sizes?: SizeCache;
  /** Time of `$now()` and `$millis()`. */
  readonly clock?: () => number;
  /** Called with the position of each expression in its template before it is evaluated. */
  readonly mark?: (character: number) => void;
};

/** A parsed expression, which can be evaluated many times. */
export type Expression = {
  readonly facts: ExpressionFacts;
  /** Returns the result for an input document; undefined without one. */
  evaluate(document: unknown, options?: EvaluateOptions): Promise<Json | undefined>;
};

/** Maximum characters of an expression. */
export const maxExpressionLength = 32_768;
const maxSequenceLength = 50_000;
/** Maximum depth of nested evaluations, in which jsonata includes a group's members. */
const maxDepth = 10_000;
const exitHook = Symbol.for("jsonata.__evaluate_exit");

/** Parses JSONata. Throws an ExpressionError with the position. */
export const parseExpression = (source: string): Expression => {
  if (source.length > maxExpressionLength) {
    throw new ExpressionError(`It must have at most ${maxExpressionLength} characters`, 0);
  }
  const path = readPlainPath(source);
  // Most expressions are plain paths, which need jsonata only for arrays in the path.
  const parsed = path ? undefined : compile(source);
  let compiled = parsed?.compiled;
  const whole = () => {
    compiled ??= compile(source).compiled;
    return compiled;
  };
  const facts = parsed?.facts ?? factsOfPath(path ?? []);

  return {
    facts,
    async evaluate(document, options = {}) {
      const sizes = options.sizes ?? createSizeCache(maxValueBytes);
      const limit = options.maxResultBytes ?? maxResultBytes;
      const shortcut = path && followPlainPath(path, document);
      const budget = new EvaluationBudget(sizes, options.clock ?? Date.now, !facts.transforms);
      try {
        const result: unknown = shortcut?.known
          ? shortcut.value
          : await evaluateWithin(budget, { compiled: whole(), facts }, document, options.bindings);
        return result === undefined ? undefined : bounded(toJson(result, sizes), sizes, limit);
      } catch (error) {
        const failure = describeExpressionFailure(error);
        throw new ExpressionError(failure, readPosition(error), { cause: error });
      } finally {
        budget.stop();
      }
    },
  };
};

const factsOfPath = (path: readonly string[]): ExpressionFacts => {
  const steps = stepsOfPath(path);
  const inputs = inputOfPath(path);
  const callbacks = callbacksOfPath(path);
  const nodes = new Set<object>();
  const none = { sortTerms: nodes, patterns: nodes, procedures: nodes };
  const rest = { groups: false, transforms: false, refusal: undefined };
  return { variables: new Set<string>(), steps, inputs, callbacks, ...none, ...rest };
};

const evaluateWithin = async (
  budget: EvaluationBudget,
  { compiled, facts }: CompiledExpression,
  document: unknown,
  scope: Scope = {},
): Promise<unknown> => {
  const seen = facts.groups ? copyInputs({ document, scope }, budget.sizes) : { document, scope };
  const bindings = await bindingsFor(facts, seen.scope, budget);
  return beforeNextTask(compiled.evaluate(seen.document, bindings));
};

/**
 * Rejects if an evaluation does not settle before the event loop's next task: it has no timers and
 * no I/O, so that it would never settle. jsonata awaits an object with a function as its `then`,
 * such as a regular expression.
 */
const beforeNextTask = async (evaluation: Promise<unknown>): Promise<unknown> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const task = setImmediate(() =>
    reject(new LimitError("waits for a value that is never resolved")),
  );
  try {
    return await Promise.race([evaluation, promise]);
  } finally {
    clearImmediate(task);
  }
};

type CompiledExpression = { compiled: jsonata.Expression; facts: ExpressionFacts };

const compile = (source: string): CompiledExpression => {
  try {
    const compiled = jsonata(source, {
      stack: maxDepth,
      sequence: maxSequenceLength,
    });
    const facts = readSyntax(compiled.ast());
    if (facts.refusal !== undefined) throw new ExpressionError(`It ${facts.refusal}`, 0);
    freezeTree(compiled.ast());
    Reflect.apply(compiled.assign, compiled, [exitHook, exitHookFor(facts)]);
    return { compiled, facts };
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    throw new ExpressionError(describeSyntaxFailure(error), readPosition(error), { cause: error });
  }
};

/** Freezes a syntax tree, which all evaluations of its expression share. */
const freezeTree = (node: unknown): void => {
  if (typeof node !== "object" || node === null || Object.isFrozen(node)) return;
  Object.freeze(node);
  for (const part of Object.values(node)) freezeTree(part);
};

const describeSyntaxFailure = (error: unknown): string => {
  if (error instanceof RangeError) return "It is nested too deeply";
  if (error instanceof SyntaxError) return error.message;
  const message = typeof error === "object" && error !== null ? jsonataMessage(error) : undefined;
  return message ?? "It is not valid JSONata";
};

const bindingsFor = async (facts: ExpressionFacts, scope: Scope, budget: EvaluationBudget) => {
  const bindings: Record<string, unknown> = { ...scope, [budgetName]: budget };
  if (facts.variables.size === 0 && !facts.transforms) return bindings;
  const names = facts.transforms ? [...facts.variables, "clone"] : facts.variables;
  for (const [name, definition] of await guardedFunctions(names)) {
    if (!Object.hasOwn(scope, name)) bindings[name] = definition;
  }
  return bindings;
};

/** Copies what an expression sees; values that the document and the scope share stay shared. */
const copyInputs = <Seen extends { document: unknown; scope: Scope }>(
  seen: Seen,
  sizes: SizeCache,
): Seen => {
  for (const value of [seen.document, seen.scope]) sizes.measure(value, false);
  return structuredClone(seen);
};

const bounded = (result: Json, sizes: SizeCache, limit: number): Json => {
  const bytes = sizes.adopt(result).bytes;
  if (bytes > limit)
    throw new LimitError(`returns ${bytes} bytes of JSON; at most ${limit} are allowed`);
  return result;
};
