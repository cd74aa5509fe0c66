import { evaluateExpression } from "../../../values/expression/evaluate.ts";
import { ExpressionError } from "../../../values/expression/expression-error.ts";
import type { Json } from "../../../values/json/json.ts";
import { type ToolContext, ToolError } from "../tool.ts";

/** Evaluates a tool's JSONata parameter; failures name the parameter. */
export const evaluateWith = async (
  parameter: string,
  source: string,
  document: Json,
  context: Pick<ToolContext, "clock" | "processor">,
): Promise<Json | undefined> => {
  try {
    return await evaluateExpression(source, document, context);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const at = error.position === undefined ? "" : ` (at character ${error.position})`;
    throw new ToolError(`"${parameter}": ${error.message}${at}.`, { cause: error });
  }
};
