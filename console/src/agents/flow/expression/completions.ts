import { isRecord } from "../../../flow-graph/members.ts";
import { jsonataFunctions } from "./jsonata-functions.ts";

/** Names and values that expressions of a step can read. */
export type ExpressionScope = {
  /** Names of the inputs. */
  inputs: readonly string[];
  /** Ids of the steps before it. */
  steps: readonly string[];
  /** Values of a recent run, which show what is in an output. */
  values: Readonly<Record<string, unknown>>;
};

/** An offered text. */
export type Completion = {
  label: string;
  detail: string;
  type: "variable" | "property" | "function";
  /** The inserted text, where it is not the label. */
  apply?: string;
};

/** Completions for the text before a position; `from` is where the inserted text starts. */
export type Completions = { from: number; options: readonly Completion[] };

const roots: readonly Completion[] = [
  { label: "input", detail: "inputs of the execution", type: "variable" },
  { label: "parameters", detail: "inputs of the execution", type: "variable" },
  { label: "steps", detail: "outputs of earlier steps", type: "variable" },
  { label: "trigger", detail: "trigger of the execution", type: "variable" },
  { label: "execution", detail: "ID of the execution", type: "variable" },
];

const functions: readonly Completion[] = jsonataFunctions.map(({ name, takes, returns }) => ({
  label: `$${name}`,
  detail: `(${takes}) ${returns}`,
  type: "function",
  apply: `$${name}(`,
}));

/** Returns where the expression around a position starts; undefined outside of one. */
const findExpression = (before: string): number | undefined => {
  const open = before.lastIndexOf("{%");
  return open === -1 || before.indexOf("%}", open) !== -1 ? undefined : open + 2;
};

const segment = "(?:[A-Za-z_]\\w*|`[^`]*`)";
const path = new RegExp(
  `(?:^|[^\\w$.\`])(${segment}(?:\\[\\d+\\])?(?:\\.${segment}(?:\\[\\d+\\])?)*)\\.(\`?[\\w-]*)$`,
);

/**
 * Lists completions at a position: inputs, earlier steps, members of their last outputs, and functions. A template has
 * expressions between `{%` and `%}`; a bare expression is one as a whole.
 */
export const listCompletions = (
  text: string,
  position: number,
  { scope, isBare, isAsked }: { scope: ExpressionScope; isBare: boolean; isAsked: boolean },
): Completions | undefined => {
  const before = text.slice(0, position);
  const start = isBare ? 0 : findExpression(before);
  if (start === undefined) return undefined;
  const expression = before.slice(start);
  if (isInString(expression)) return undefined;
  const ofPath = path.exec(expression);
  if (ofPath) {
    const [, above = "", partial = ""] = ofPath;
    const options = listMembers(splitPath(above), scope);
    return options.length === 0 ? undefined : { from: position - partial.length, options };
  }
  const [word = ""] = /[$\w]*$/.exec(expression) ?? [];
  const follows = expression.at(-word.length - 1);
  if (follows === "." || (word === "" && !isAsked)) return undefined;
  const options = word.startsWith("$") ? functions : [...roots, ...functions];
  return { from: position - word.length, options };
};

const isInString = (expression: string): boolean => {
  let quote: string | undefined;
  for (const character of expression) {
    if (quote === undefined && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = undefined;
  }
  return quote !== undefined;
};

const splitPath = (text: string): string[] =>
  [...text.matchAll(/`([^`]*)`|[A-Za-z_]\w*/g)].map(([all, quoted]) => quoted ?? all);

const toMember = (name: string, detail: string): Completion => ({
  label: name,
  detail,
  type: "property",
  ...(!/^[A-Za-z_]\w*$/.test(name) && { apply: `\`${name}\`` }),
});

const listMembers = (names: readonly string[], scope: ExpressionScope): Completion[] => {
  const [root = "", ...rest] = names;
  const known = listKnown(root, rest, scope);
  const labels = new Set(known.map(({ label }) => label));
  return [...known, ...listValues(names, scope.values).filter(({ label }) => !labels.has(label))];
};

const listKnown = (root: string, rest: readonly string[], scope: ExpressionScope): Completion[] => {
  if (root === "steps" && rest.length === 0) return scope.steps.map((id) => toMember(id, "step"));
  if (root === "steps" && rest.length === 1) return [toMember("output", "its output")];
  const isInput = (root === "input" || root === "parameters") && rest.length === 0;
  return isInput ? scope.inputs.map((name) => toMember(name, "input")) : [];
};

const listValues = (names: readonly string[], values: ExpressionScope["values"]): Completion[] => {
  const value = names.reduce<unknown>((above, name) => {
    const one = pickFirst(above);
    return isRecord(one) ? one[name] : undefined;
  }, values);
  const one = pickFirst(value);
  return isRecord(one) && names[0] !== undefined
    ? Object.entries(one).map(([name, member]) => toMember(name, describe(member)))
    : [];
};

/** A path selects members of all items of a list. */
const pickFirst = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

const shownLength = 40;

const describe = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "";
  return text.length > shownLength ? `${text.slice(0, shownLength - 1)}…` : text;
};
