import { buildPointer } from "../json/json.ts";
import type { CheckedTemplate } from "./check-templates-task.ts";
import { isTemplate } from "./template-text.ts";

/** An error in a template; the pointer is relative to the value. */
export type TemplateProblem = { readonly pointer: string; readonly detail: string };

/** A template and its pointer. */
export type PlacedTemplate = { readonly pointer: string; readonly text: string };

/** Maximum number of templates in a flow or a mapping. */
export const maxTemplates = 5_000;

/** Finds every template in a value of checked depth. */
export const collectTemplates = (value: unknown, pointer: string): PlacedTemplate[] => {
  const found: PlacedTemplate[] = [];
  const visit = (item: unknown, at: string): void => {
    if (typeof item === "string") {
      if (isTemplate(item)) found.push({ pointer: at, text: item });
    } else if (typeof item === "object" && item !== null) {
      for (const [key, member] of Object.entries(item)) visit(member, at + buildPointer(key));
    }
  };
  visit(value, pointer);
  return found;
};

/** Returns the errors of checked templates. */
export const templateProblems = (
  templates: readonly PlacedTemplate[],
  checked: ReadonlyMap<string, CheckedTemplate>,
): TemplateProblem[] =>
  templates.flatMap(({ pointer, text }) => {
    const result = checked.get(text);
    if (!result) {
      return [{ pointer, detail: `A flow may have at most ${maxTemplates} expressions.` }];
    }
    if (result.ok) return [];
    return [{ pointer, detail: `${result.message} (at character ${result.position}).` }];
  });
