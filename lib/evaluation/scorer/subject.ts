import type { SpendLimit } from "../../engine/flow/spend-guard.ts";
import type { Cost, TokenCounts } from "../../engine/models/model.ts";
import { maxScore } from "../../executions/scores.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { ModelUsage } from "../../spending/usage/count-usage.ts";
import type { Json } from "../../values/json/json.ts";
import type { ScorerResult } from "./schemas.ts";

/** A finished execution as scorers see it: without secrets. */
export type Subject = {
  readonly input: Json;
  readonly output: Json;
  /** Null or undefined where nothing is expected. */
  readonly expected?: Json | undefined;
  /** As `TraceSpan`. */
  readonly trace: readonly unknown[];
  readonly usage: TokenCounts;
  /** US dollars. */
  readonly cost: Cost;
};

/** Where and how long an execution is scored. */
export type ScoreContext = {
  readonly tenantId: TenantId;
  /** The execution that is scored. */
  readonly executionId: string;
  /** Processor budget of expressions and schemas of all its scorers. */
  readonly processor: ProcessorBudget;
  /** A limit of the scorers' cost; they do not determine a value when it refuses a call. */
  readonly limit?: SpendLimit | undefined;
  /** Aborts calls of models. */
  readonly signal: AbortSignal;
  /** When the function times out, Unix milliseconds. */
  readonly deadline: number;
};

/** A score without its scorer. */
export type Verdict = Omit<ScorerResult, "scorer"> & {
  /** Calls of models by the scorer itself, which no execution counts; part of `cost`. */
  models: readonly ModelUsage[];
  /** Whether all models behind `cost` have a price. */
  priced: boolean;
};

/** Calls of models by a scorer. `cost`: US dollars. */
export type Spent = Pick<Verdict, "cost" | "priced" | "models">;

const nothing: Spent = { cost: 0, priced: true, models: [] };

const maxCommentLength = 2_000;

const cut = (comment: string): string =>
  comment.length <= maxCommentLength
    ? comment.toWellFormed()
    : `${comment
        .slice(0, maxCommentLength - 1)
        .replace(/[\uD800-\uDBFF]$/, "")
        .toWellFormed()}…`;

/** Smaller numbers are 0: a table's numbers have a smaller range. */
const smallestScore = 1e-100;

/** Builds the verdict for a number; 0.5 or more passes. A number that no score may have is none. */
export const scored = (
  value: number,
  comment: string | null = null,
  spent: Spent = nothing,
): Verdict => {
  if (!(Math.abs(value) <= maxScore)) {
    const range = `not between -${maxScore} and ${maxScore}`;
    return undetermined(`The value ${value} is ${range}.`, spent);
  }
  return {
    value: Math.abs(value) < smallestScore ? 0 : value,
    passed: value >= 0.5,
    comment: comment === null ? null : cut(comment),
    ...spent,
  };
};

/** Builds the verdict of a scorer that could not determine a value. */
export const undetermined = (reason: string, spent: Spent = nothing): Verdict => ({
  value: null,
  passed: null,
  comment: cut(reason),
  ...spent,
});
