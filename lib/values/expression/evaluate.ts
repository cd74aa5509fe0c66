import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { SandboxLimitError } from "../../platform/sandbox/sandbox-error.ts";
import { sandboxTask } from "../../platform/sandbox/task.ts";
import { isDeeperThan, type Json, maxJsonDepth } from "../json/json.ts";
import type * as expressionTask from "./evaluate-expression-task.ts";
import type * as templatesTask from "./evaluate-task.ts";
import { maxDeepBytes, maxResultBytes, maxValueBytes } from "./evaluation-budget.ts";
import type { EvaluationResult } from "./evaluation-result.ts";
import {
  closeSession,
  openSession,
  type Scope,
  type ScopeSession,
  updateScope,
} from "./evaluation-scope.ts";
import { ExpressionError } from "./expression-error.ts";
import { evaluatePlain } from "./plain-template.ts";
import { createSizeCache, type SizeCache } from "./size-cache.ts";

const evaluateTask = sandboxTask<typeof templatesTask>(
  new URL("./evaluate-task.ts", import.meta.url),
);
const evaluateExpressionTask = sandboxTask<typeof expressionTask>(
  new URL("./evaluate-expression-task.ts", import.meta.url),
);

/** Dependencies and limits of an evaluation. */
export type Evaluation = {
  readonly processor: ProcessorBudget;
  /** Time of `$now()` and `$millis()`. */
  readonly clock: () => number;
  /** Sends each value of the scope once; without it the scope is sent for this evaluation only. */
  readonly session?: ScopeSession;
  /** Known sizes of the scope's values. */
  readonly sizes?: SizeCache;
  /** Maximum bytes of JSON of a template's result; default 1 MiB. */
  readonly maxResultBytes?: number;
};

/**
 * Evaluates every template in a JSON value. Resolves plain paths itself, and evaluates everything else in the
 * sandbox in one round trip. Undefined if the value is one expression that selects nothing; within a value, nothing
 * becomes null. Throws an ExpressionError with the position.
 */
export const evaluateTemplates = async (
  value: unknown,
  scope: Scope,
  evaluation: Evaluation,
): Promise<Json | undefined> => {
  if (isDeeperThan(value, maxJsonDepth)) {
    throw new ExpressionError(`The value is nested deeper than ${maxJsonDepth} levels.`);
  }
  const sizes = evaluation.sizes ?? createSizeCache(maxValueBytes);
  const maxBytes = evaluation.maxResultBytes ?? maxResultBytes;
  const plain = evaluatePlain(value, scope, sizes, { perValue: maxBytes, total: maxDeepBytes });
  return plain ? plain.value : evaluateInSandbox(value, scope, evaluation);
};

const evaluateInSandbox = async (
  value: unknown,
  scope: Scope,
  { processor, clock, session, maxResultBytes: limit }: Evaluation,
): Promise<Json | undefined> => {
  const own = session ?? openSession();
  const now = clock();
  try {
    const result = await processor.run(
      evaluateTask,
      (memory) => ({ scope: updateScope(memory, own, scope), value, now, maxResultBytes: limit }),
      processorLimits.expressionMs,
      // Parsing a scope of megabytes takes time.
      processorLimits.documentMs,
    );
    return readResult(result);
  } catch (error) {
    if (!(error instanceof SandboxLimitError)) throw error;
    const at = typeof error.mark === "number" ? error.mark : undefined;
    const subject = at === undefined ? "The expressions" : `The expression at character ${at}`;
    const reason = limitReason(error, processor, at === undefined ? "s" : "");
    throw new ExpressionError(`${subject} ${reason}.`, at, { cause: error });
  } finally {
    if (!session) closeSession(own);
  }
};

/**
 * Evaluates an expression over a document in the sandbox. Throws an ExpressionError; its message
 * continues after the expression's name.
 */
export const evaluateExpression = async (
  source: string,
  document: Json,
  { processor, clock }: Pick<Evaluation, "processor" | "clock">,
): Promise<Json | undefined> => {
  const input = { source, document: JSON.stringify(document), now: clock() };
  try {
    const { expressionMs } = processorLimits;
    return readResult(await processor.run(evaluateExpressionTask, input, expressionMs));
  } catch (error) {
    if (!(error instanceof SandboxLimitError)) throw error;
    throw new ExpressionError(limitReason(error, processor, ""), undefined, { cause: error });
  }
};

/** Returns the detail of an exceeded limit, without its subject. */
const limitReason = (
  { limit }: SandboxLimitError,
  { totalMs }: ProcessorBudget,
  plural: "" | "s",
): string => {
  switch (limit) {
    case "time":
      return plural ? "take longer than they may" : "takes too long";
    case "total":
      return `${plural ? "exceed" : "exceeds"} the ${totalMs / 1_000} s of processor time that all expressions have together`;
    case "memory":
      return `${plural ? "need" : "needs"} more memory than an expression may use`;
  }
};

const readResult = (result: EvaluationResult): Json | undefined => {
  if (!result.ok) throw new ExpressionError(result.message, result.position);
  if (result.json === undefined) return undefined;
  const value: Json = JSON.parse(result.json);
  return value;
};
