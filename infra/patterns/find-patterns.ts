import { parseSync, Visitor } from "oxc-parser";

/** A regular expression of the source, or a place that builds one from a value. */
export type FoundPattern = {
  /** Path from the root of the repository, and line. */
  readonly file: string;
  readonly line: number;
  /** Undefined if the pattern is not a literal. */
  readonly pattern: string | undefined;
  readonly flags: string;
};

type Argument = { type: string; value?: unknown; regex?: { pattern: string } | null } | undefined;

const textIn = (argument: Argument): string | undefined => {
  if (argument?.type !== "Literal") return undefined;
  if (argument.regex) return argument.regex.pattern;
  return typeof argument.value === "string" ? argument.value : undefined;
};

/** String methods that convert a string argument to a regular expression. */
const matchingMethods = new Set(["match", "matchAll", "search"]);

/** Lists the regular expressions of a TypeScript source: literals, `RegExp(…)`, and JSON Schema `pattern` members. */
export const findPatterns = (file: string, source: string): FoundPattern[] => {
  const found: FoundPattern[] = [];
  const add = (start: number, pattern: string | undefined, flags = ""): void => {
    found.push({ file, line: source.slice(0, start).split("\n").length, pattern, flags });
  };
  const addBuilt = (node: { start: number; callee: object; arguments: Argument[] }): void => {
    if (!("name" in node.callee) || node.callee.name !== "RegExp") return;
    const [pattern, flags] = node.arguments;
    const text = flags === undefined || textIn(flags) !== undefined ? textIn(pattern) : undefined;
    add(node.start, text, textIn(flags));
  };
  new Visitor({
    Literal: (node) => {
      if ("regex" in node) add(node.start, node.regex.pattern, node.regex.flags);
    },
    NewExpression: addBuilt,
    CallExpression: (node) => {
      addBuilt(node);
      if (node.callee.type !== "MemberExpression" || node.callee.property.type !== "Identifier") {
        return;
      }
      const text = textIn(node.arguments[0]);
      const isLiteral = node.arguments[0]?.type === "Literal" && "regex" in node.arguments[0];
      if (matchingMethods.has(node.callee.property.name) && text !== undefined && !isLiteral) {
        add(node.start, text);
      }
    },
    Property: (node) => {
      const isPattern = node.key.type === "Identifier" && node.key.name === "pattern";
      const text = isPattern && !("regex" in node.value) ? textIn(node.value) : undefined;
      if (text !== undefined) add(node.start, text, "u");
    },
  }).visit(parseSync(file, source).program);
  return found;
};
