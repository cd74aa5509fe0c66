import { isTemplate, parseTemplate, type Template } from "./expression.ts";
import { pointerOf } from "./json.ts";
import type { FlowProblem } from "./step-type.ts";

/** The templates of a flow, each parsed once however often it occurs. */
export type TemplateCache = {
  /** Parses every template in a value and tells what is wrong, with pointers to the strings. */
  collect(value: unknown, pointer: string): CollectedTemplates;
  find(text: string): Template;
  /** Whether a value of the flow holds any template at all. */
  holdsTemplate(value: unknown): boolean;
};

/** The templates that a value holds, and what is wrong with others. */
export type CollectedTemplates = {
  readonly templates: readonly { readonly pointer: string; readonly template: Template }[];
  readonly problems: readonly FlowProblem[];
};

const maxTemplates = 5_000;

/** A cache for one flow, whose depth was checked before. */
export function createTemplateCache(): TemplateCache {
  const parsed = new Map<string, ReturnType<typeof parseTemplate>>();
  const holders = new WeakSet<object>();

  function parse(text: string): ReturnType<typeof parseTemplate> {
    const known = parsed.get(text);
    if (known) return known;
    const fresh = parseTemplate(text);
    parsed.set(text, fresh);
    return fresh;
  }

  function collect(value: unknown, pointer: string): CollectedTemplates {
    const templates: { pointer: string; template: Template }[] = [];
    const problems: FlowProblem[] = [];

    function visitText(text: string, at: string): boolean {
      if (!isTemplate(text)) return false;
      if (parsed.size >= maxTemplates && !parsed.has(text)) {
        problems.push({
          pointer: at,
          detail: `A flow may have at most ${maxTemplates} expressions.`,
        });
        return true;
      }
      const result = parse(text);
      if (result.ok) templates.push({ pointer: at, template: result.template });
      else
        problems.push({
          pointer: at,
          detail: `${result.message} (at character ${result.position}).`,
        });
      return true;
    }

    function visit(item: unknown, at: string): boolean {
      if (typeof item === "string") return visitText(item, at);
      if (typeof item !== "object" || item === null) return false;
      let holds = false;
      for (const [key, member] of Object.entries(item)) {
        if (visit(member, at + pointerOf(key))) holds = true;
      }
      if (holds) holders.add(item);
      return holds;
    }

    visit(value, pointer);
    return { templates, problems };
  }

  return {
    collect,
    find(text) {
      const result = parse(text);
      if (!result.ok) throw new Error("A template of a checked flow does not parse.");
      return result.template;
    },
    holdsTemplate: (value) =>
      typeof value === "string"
        ? isTemplate(value)
        : typeof value === "object" && value !== null && holders.has(value),
  };
}
