import { parseTemplate } from "./expression.ts";
import { ExpressionError } from "./expression-error.ts";
import type { ReadInput, StepRead } from "./expression-syntax.ts";
import { type Expression, parseExpression } from "./parse-expression.ts";

/** The steps, inputs and addresses of callbacks that a template reads, or its syntax error. */
export type CheckedTemplate =
  | {
      readonly ok: true;
      readonly steps: readonly StepRead[];
      readonly inputs: readonly ReadInput[];
      readonly callbacks: readonly string[];
    }
  | { readonly ok: false; readonly message: string; readonly position: number };

/** Parses templates and bare expressions. Marks their indexes. */
export const run = (
  input: { readonly templates: readonly string[]; readonly expressions?: readonly string[] },
  mark: (at: number) => void,
): { templates: CheckedTemplate[]; expressions: CheckedTemplate[] } => ({
  templates: input.templates.map((text, at) => {
    mark(at);
    const parsed = parseTemplate(text);
    if (!parsed.ok) return parsed;
    return toCheckedTemplate(parsed.template.expressions.map(({ expression }) => expression));
  }),
  expressions: (input.expressions ?? []).map((source, at) => {
    mark(at);
    return checkExpression(source);
  }),
});

const toCheckedTemplate = (expressions: readonly Expression[]): CheckedTemplate => ({
  ok: true,
  steps: expressions.flatMap(({ facts }) => facts.steps),
  inputs: expressions.flatMap(({ facts }) => facts.inputs),
  callbacks: expressions.flatMap(({ facts }) => facts.callbacks),
});

const checkExpression = (source: string): CheckedTemplate => {
  try {
    return toCheckedTemplate([parseExpression(source)]);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, message: error.message, position: error.position ?? 0 };
  }
};
