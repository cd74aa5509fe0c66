import { jsonLanguage } from "@codemirror/lang-json";
import { ensureSyntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

type Tree = ReturnType<typeof jsonLanguage.parser.parse>;
type SyntaxNode = Tree["topNode"];

/** A text with its syntax tree. */
export type ParsedJson = { text: string; tree: Tree };

/** Milliseconds that the editor's own parser gets; after that, the text is parsed whole. */
const parseMilliseconds = 50;

/** Returns the text of an editor with its syntax tree, which the editor keeps. */
export const parseEditorJson = (state: EditorState): ParsedJson => {
  const text = state.doc.toString();
  const tree = ensureSyntaxTree(state, text.length, parseMilliseconds);
  return { text, tree: tree ?? jsonLanguage.parser.parse(text) };
};

/** A range of a text. */
export type TextRange = { from: number; to: number };

/**
 * Returns the range of the value at a JSON pointer, or of the closest value above it that exists, such as the object
 * that lacks a member.
 */
export const findValueRange = ({ text, tree }: ParsedJson, pointer: string): TextRange => {
  const root = valuesIn(tree.topNode)[0];
  if (!root) return { from: 0, to: text.length };
  let node = root;
  for (const segment of splitPointer(pointer)) {
    const below = findChild(node, segment, text);
    if (!below) break;
    node = below;
  }
  return { from: node.from, to: node.to };
};

/** Returns that range within its first line: a whole object would be underlined entirely. */
export const findPointerRange = (parsed: ParsedJson, pointer: string): TextRange => {
  const { from, to } = findValueRange(parsed, pointer);
  const lineEnd = parsed.text.indexOf("\n", from);
  return { from, to: Math.min(to, lineEnd === -1 ? to : lineEnd) };
};

const splitPointer = (pointer: string): string[] =>
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

const findChild = (node: SyntaxNode, segment: string, text: string): SyntaxNode | undefined => {
  if (node.name === "Array") return valuesIn(node)[Number(segment)];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    const name = child.getChild("PropertyName");
    if (name && text.slice(name.from, name.to) === JSON.stringify(segment))
      return valuesIn(child)[0];
  }
  return undefined;
};
