import { ExpressionError } from "../../flow/expression-error.ts";
import type { Json } from "../../flow/json.ts";
import { type EvaluateOptions, parseExpression } from "../../flow/parse-expression.ts";
import { ToolError } from "../tool.ts";

/** Evaluates JSONata that is a tool's parameter; failures name the parameter. */
export async function evaluateWith(
  parameter: string,
  source: string,
  document: Json,
  options: EvaluateOptions,
): Promise<Json | undefined> {
  try {
    return await parseExpression(source).evaluate(document, options);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const at = error.position === undefined ? "" : ` (at character ${error.position})`;
    throw new ToolError(`"${parameter}": ${error.message}${at}.`, { cause: error });
  }
}
