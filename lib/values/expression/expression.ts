import { formatValue, isDeeperThan, type Json, maxJsonDepth, setMember } from "../json/json.ts";
import { maxDeepBytes, maxResultBytes, maxValueBytes } from "./evaluation-budget.ts";
import type { Scope } from "./evaluation-scope.ts";
import { ExpressionError } from "./expression-error.ts";
import { type EvaluateOptions, type Expression, parseExpression } from "./parse-expression.ts";
import { createSizeCache } from "./size-cache.ts";
import { close, isTemplate, maxExpressionsInString, open } from "./template-text.ts";

/** A parsed string: text, expressions, or both. */
export type Template = {
  /** The expressions and their positions in the text. */
  readonly expressions: readonly { readonly expression: Expression; readonly position: number }[];
  /** Undefined when it is one expression that selects nothing. */
  evaluate(scope: Scope, options?: EvaluateOptions): Promise<Json | undefined>;
};

/** A parsed template, or its syntax error. */
export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly message: string; readonly position: number };

type Part = { readonly expression: Expression; readonly position: number };

/** An expression may contain `%}`: it ends at the first one before which it is valid JSONata. */
const maxEndsTried = 16;

/**
 * Parses a string that may contain JSONata between `{%` and `%}`. A single expression without text keeps its
 * value's type; otherwise the result is a string.
 */
export const parseTemplate = (text: string): ParsedTemplate => {
  try {
    const parts = splitTemplate(text);
    const expressions = parts.filter((part) => typeof part !== "string");
    const [only] = parts;
    const template: Template = {
      expressions,
      evaluate: (scope, options) =>
        parts.length === 1 && only !== undefined && typeof only !== "string"
          ? evaluatePart(only, scope, options)
          : evaluateText(parts, scope, options),
    };
    return { ok: true, template };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, message: error.message, position: error.position ?? 0 };
  }
};

const splitTemplate = (text: string): (string | Part)[] => {
  const parts: (string | Part)[] = [];
  let from = 0;
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, from)) {
    if (start > from) parts.push(text.slice(from, start));
    const { expression, end } = readExpression(text, start + open.length);
    parts.push({ expression, position: start + open.length });
    if (parts.length > maxExpressionsInString * 2) {
      throw new ExpressionError(
        `The string has more than ${maxExpressionsInString} expressions`,
        start,
      );
    }
    from = end + close.length;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
};

const readExpression = (text: string, start: number): { expression: Expression; end: number } => {
  let first: ExpressionError | undefined;
  let end = text.indexOf(close, start);
  for (let tries = 0; end !== -1 && tries < maxEndsTried; tries += 1) {
    try {
      return { expression: parseExpression(text.slice(start, end)), end };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      first ??= error;
    }
    end = text.indexOf(close, end + 1);
  }
  if (first) throw new ExpressionError(first.message, start + (first.position ?? 0));
  throw new ExpressionError(`The expression has no closing ${close}`, start - open.length);
};

const evaluatePart = async (
  { expression, position }: Part,
  scope: Scope,
  options?: EvaluateOptions,
): Promise<Json | undefined> => {
  options?.mark?.(position - open.length);
  try {
    return await expression.evaluate(scope, { ...options, bindings: scope });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const at = position + (error.position ?? 0);
    const message = `The expression at character ${position - open.length} ${error.message}.`;
    throw new ExpressionError(message, at, { cause: error });
  }
};

const evaluateText = async (
  parts: readonly (string | Part)[],
  scope: Scope,
  options?: EvaluateOptions,
): Promise<string> => {
  let text = "";
  for (const part of parts) {
    text += typeof part === "string" ? part : formatValue(await evaluatePart(part, scope, options));
    if (text.length > (options?.maxResultBytes ?? maxResultBytes)) {
      throw new ExpressionError(`The text is longer than ${maxResultBytes} characters.`);
    }
  }
  return text;
};

/** Returns the parsed template of a string. */
export type FindTemplate = (text: string) => Template;

const parseOrThrow = (text: string): Template => {
  const parsed = parseTemplate(text);
  if (parsed.ok) return parsed.template;
  throw new ExpressionError(
    `${parsed.message} (at character ${parsed.position}).`,
    parsed.position,
  );
};

/**
 * Evaluates every template in a JSON value, one after another; member names are not templates. Undefined if the value
 * is one expression that selects nothing; within a value, nothing becomes null.
 */
export const evaluateDeep = async (
  value: unknown,
  scope: Scope,
  options: EvaluateOptions = {},
  find: FindTemplate = parseOrThrow,
): Promise<Json | undefined> => {
  if (isDeeperThan(value, maxJsonDepth)) {
    throw new ExpressionError(`The value is nested deeper than ${maxJsonDepth} levels.`);
  }
  const sizes = options.sizes ?? createSizeCache(maxValueBytes);
  let bytes = 0;
  return evaluateValue(value, async (text) => {
    const result = await find(text).evaluate(scope, { ...options, sizes });
    if (result !== undefined) bytes += sizes.measure(result);
    if (bytes > maxDeepBytes) {
      throw new ExpressionError(`The expressions return more than ${maxDeepBytes} bytes of JSON.`);
    }
    return result;
  });
};

const evaluateValue = async (
  value: unknown,
  evaluate: (text: string) => Promise<Json | undefined>,
): Promise<Json | undefined> => {
  if (typeof value === "string") return isTemplate(value) ? evaluate(value) : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) items.push((await evaluateValue(item, evaluate)) ?? null);
    return items;
  }
  const members: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    setMember(members, key, (await evaluateValue(member, evaluate)) ?? null);
  }
  return members;
};
