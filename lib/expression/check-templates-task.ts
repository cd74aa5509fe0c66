import { parseTemplate } from "./expression.ts";
import { ExpressionError } from "./expression-error.ts";
import { parseExpression } from "./parse-expression.ts";

/** The steps that a template reads, or its syntax error. */
export type CheckedTemplate =
  | { readonly ok: true; readonly steps: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly position: number };

/** Parses templates and bare expressions. Marks the index of each. */
export function run(
  input: { readonly templates: readonly string[]; readonly expressions?: readonly string[] },
  mark: (at: number) => void,
): { templates: CheckedTemplate[]; expressions: CheckedTemplate[] } {
  return {
    templates: input.templates.map((text, at) => {
      mark(at);
      const parsed = parseTemplate(text);
      if (!parsed.ok) return parsed;
      const steps = parsed.template.expressions.flatMap(({ expression }) =>
        expression.facts.steps.map(({ id }) => id),
      );
      return { ok: true, steps };
    }),
    expressions: (input.expressions ?? []).map((source, at) => {
      mark(at);
      return checkExpression(source);
    }),
  };
}

function checkExpression(source: string): CheckedTemplate {
  try {
    const { facts } = parseExpression(source);
    return { ok: true, steps: facts.steps.map(({ id }) => id) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, message: error.message, position: error.position ?? 0 };
  }
}
