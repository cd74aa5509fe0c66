import { jsonLanguage } from "@codemirror/lang-json";

type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>["topNode"];

/** A range of a text. */
export type TextRange = { from: number; to: number };

/**
 * Returns the range of the value at a JSON pointer, or of the closest value above it that exists, such as the object
 * that lacks a member.
 */
export const valueRangeOfPointer = (text: string, pointer: string): TextRange => {
  const tree = jsonLanguage.parser.parse(text);
  const root = valuesIn(tree.topNode)[0];
  if (!root) return { from: 0, to: text.length };
  let node = root;
  for (const segment of segmentsOf(pointer)) {
    const below = childOf(node, segment, text);
    if (!below) break;
    node = below;
  }
  return { from: node.from, to: node.to };
};

/** Returns that range within its first line: a whole object would be underlined entirely. */
export const rangeOfPointer = (text: string, pointer: string): TextRange => {
  const { from, to } = valueRangeOfPointer(text, pointer);
  const lineEnd = text.indexOf("\n", from);
  return { from, to: Math.min(to, lineEnd === -1 ? to : lineEnd) };
};

const segmentsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));

const valueNames = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

const valuesIn = (node: SyntaxNode): SyntaxNode[] => {
  const values: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (valueNames.has(child.name)) values.push(child);
  }
  return values;
};

const childOf = (node: SyntaxNode, segment: string, text: string): SyntaxNode | undefined => {
  if (node.name === "Array") return valuesIn(node)[Number(segment)];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    const name = child.getChild("PropertyName");
    if (name && text.slice(name.from, name.to) === JSON.stringify(segment))
      return valuesIn(child)[0];
  }
  return undefined;
};
