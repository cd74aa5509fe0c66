import type { Json } from "../json/json.ts";
import { type EvaluationResult, settle } from "./evaluation-result.ts";
import { parseExpression } from "./parse-expression.ts";

/** Evaluates an expression over a JSON document. */
export const run = async (input: {
  readonly source: string;
  readonly document: string;
  readonly now: number;
}): Promise<EvaluationResult> => {
  const document: Json = JSON.parse(input.document);
  return settle(() => parseExpression(input.source).evaluate(document, { clock: () => input.now }));
};
