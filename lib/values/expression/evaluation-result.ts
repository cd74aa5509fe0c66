import type { Json } from "../json/json.ts";
import { ExpressionError } from "./expression-error.ts";

/** The result of an evaluation, as JSON, or the reason for its failure. */
export type EvaluationResult =
  | { readonly ok: true; readonly json: string | undefined }
  | { readonly ok: false; readonly message: string; readonly position: number | undefined };

/** Maps the outcome of an evaluation to its result. */
export const settle = async (
  evaluate: () => Promise<Json | undefined>,
): Promise<EvaluationResult> => {
  try {
    const value = await evaluate();
    return { ok: true, json: value === undefined ? undefined : JSON.stringify(value) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, message: error.message, position: error.position };
  }
};
