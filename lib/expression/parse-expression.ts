import jsonata from "jsonata";
import type { Json } from "../json/json.ts";
import { followPlainPath, readPlainPath } from "../json/plain-path.ts";
import { EvaluationBudget, maxResultBytes, maxValueBytes } from "./evaluation-budget.ts";
import type { Scope } from "./evaluation-scope.ts";
import {
  describeExpressionFailure,
  ExpressionError,
  jsonataMessage,
  LimitError,
  positionOf,
} from "./expression-error.ts";
import { type ExpressionFacts, inputOfPath, readSyntax } from "./expression-syntax.ts";
import { budgetName, guardedFunctions } from "./guarded-functions.ts";
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
const unitsOfComparison = 1_000;
const exitHook = Symbol.for("jsonata.__evaluate_exit");

/** Parses JSONata. Throws an ExpressionError with the position. */
export function parseExpression(source: string): Expression {
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
        throw new ExpressionError(failure, positionOf(error), { cause: error });
      } finally {
        budget.stop();
      }
    },
  };
}

function factsOfPath(path: readonly string[]): ExpressionFacts {
  const [first, second] = path;
  const steps = first === "steps" && second !== undefined ? [{ id: second }] : [];
  const nothing = { variables: new Set<string>(), sortTerms: new Set<object>() };
  const inputs = inputOfPath(path);
  return { ...nothing, steps, inputs, groups: false, transforms: false, refusal: undefined };
}

async function evaluateWithin(
  budget: EvaluationBudget,
  { compiled, facts }: CompiledExpression,
  document: unknown,
  scope: Scope = {},
): Promise<unknown> {
  const bindings = await bindingsFor(facts, scope, budget);
  return compiled.evaluate(facts.groups ? copyOf(document, budget.sizes) : document, bindings);
}

type CompiledExpression = { compiled: jsonata.Expression; facts: ExpressionFacts };

function compile(source: string): CompiledExpression {
  try {
    const compiled = jsonata(source, {
      stack: maxDepth,
      sequence: maxSequenceLength,
    });
    const facts = readSyntax(compiled.ast());
    if (facts.refusal !== undefined) throw new ExpressionError(`It ${facts.refusal}`, 0);
    Reflect.apply(compiled.assign, compiled, [exitHook, exitHookFor(facts)]);
    return { compiled, facts };
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    throw new ExpressionError(describeSyntaxFailure(error), positionOf(error), { cause: error });
  }
}

function describeSyntaxFailure(error: unknown): string {
  if (error instanceof RangeError) return "It is nested too deeply";
  if (error instanceof SyntaxError) return error.message;
  const message = typeof error === "object" && error !== null ? jsonataMessage(error) : undefined;
  return message ?? "It is not valid JSONata";
}

function exitHookFor({ sortTerms }: ExpressionFacts) {
  return (
    node: object,
    _input: unknown,
    environment: { lookup(name: string): unknown },
    result: unknown,
  ): void => {
    const budget = environment.lookup(budgetName);
    if (!(budget instanceof EvaluationBudget)) return;
    budget.check();
    if (sortTerms.has(node)) budget.spend(unitsOfComparison);
    if (Reflect.get(node, "type") === "binary" && typeof result === "string") {
      budget.spend(result.length);
    }
    budget.note(result);
  };
}

async function bindingsFor(facts: ExpressionFacts, scope: Scope, budget: EvaluationBudget) {
  const bindings: Record<string, unknown> = { ...scope, [budgetName]: budget };
  if (facts.variables.size === 0 && !facts.transforms) return bindings;
  const functions = await guardedFunctions();
  for (const name of facts.transforms ? [...facts.variables, "clone"] : facts.variables) {
    const guarded = functions.get(name);
    if (guarded !== undefined && !Object.hasOwn(scope, name)) bindings[name] = guarded;
  }
  return bindings;
}

function copyOf(document: unknown, sizes: SizeCache): unknown {
  sizes.measure(document, false);
  return structuredClone(document);
}

function bounded(result: Json, sizes: SizeCache, limit: number): Json {
  const bytes = sizes.adopt(result).bytes;
  if (bytes > limit)
    throw new LimitError(`gives ${bytes} bytes of JSON; at most ${limit} may be given`);
  return result;
}
