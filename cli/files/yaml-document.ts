import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";
import { buildPointer, setMember } from "../../lib/values/json/json.ts";
import { type Environment, interpolate } from "./environment.ts";
import type { FileProblem } from "./file-problem.ts";

/** A YAML document with the positions of its lines. */
export type YamlDocument = { file: string; text: string; document: Document; lines: LineCounter };

/** A problem at an offset of a document. */
type Placed = { offset: number; pointer: string; detail: string };

const options = {
  version: "1.2",
  schema: "core",
  merge: false,
  stringKeys: true,
  prettyErrors: false,
  logLevel: "error",
} as const;

/** Parses YAML 1.2. Returns syntax errors, and constructs that JSON does not have, as problems. */
export const parseYaml = (
  file: string,
  text: string,
): { yaml: YamlDocument; problems: FileProblem[] } => {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...options, lineCounter: lines });
  const yaml = { file, text, document, lines };
  const problems = [...document.errors, ...document.warnings].map(({ pos, message }) =>
    toProblem(yaml, { offset: pos[0], pointer: "", detail: message }),
  );
  return { yaml, problems };
};

const toProblem = ({ file, lines }: YamlDocument, { offset, pointer, detail }: Placed) => {
  const { line, col } = lines.linePos(offset);
  return { file, line: Math.max(1, line), column: Math.max(1, col), pointer, detail };
};

/** The value of a document, and what is wrong in it. */
export type ReadValue = { value: unknown; problems: FileProblem[] };

/** Returns a document's JSON value with its variables replaced. */
export const readValue = (yaml: YamlDocument, environment: Environment): ReadValue => {
  const { document } = yaml;
  const placed: Placed[] = [];
  let aliases = 0;
  let values = 0;
  const problem = (node: Node, pointer: string, detail: string): null => {
    placed.push({ offset: node.range?.[0] ?? 0, pointer, detail });
    return null;
  };
  const read = (node: unknown, pointer: string): unknown => {
    values += 1;
    if (values > maxValues) {
      if (values === maxValues + 1 && isNode(node)) problem(node, pointer, "has too many values");
      return null;
    }
    if (isAlias(node)) {
      aliases += 1;
      const target = aliases > maxAliases ? undefined : node.resolve(document);
      return target ? read(target, pointer) : problem(node, pointer, "has too many aliases");
    }
    if (isMap(node)) {
      const members: Record<string, unknown> = {};
      for (const { key, value } of node.items) {
        const name = keyText(key);
        setMember(members, name, read(value, pointer + buildPointer(name)));
      }
      return members;
    }
    if (isSeq(node)) return node.items.map((item, at) => read(item, `${pointer}/${at}`));
    if (!isScalar(node)) return null;
    if (typeof node.value === "string") {
      const { text, missing } = interpolate(node.value, environment);
      for (const name of missing) {
        problem(node, pointer, `needs the environment variable ${name}, which is not set`);
      }
      return text;
    }
    if (typeof node.value === "number" && !Number.isFinite(node.value)) {
      return problem(node, pointer, "must be a number that JSON has");
    }
    return node.value;
  };
  const value = read(document.contents, "");
  return { value, problems: placed.map((each) => toProblem(yaml, each)) };
};

const maxAliases = 1_000;
/** More values than a request may have; aliases multiply them. */
const maxValues = 500_000;

/** Returns the text of a key. */
export const keyText = (key: unknown): string =>
  isScalar(key) ? String(key.value ?? "") : String(key ?? "");

/** Builds a problem at the place of a JSON pointer, or of its nearest parent that the document has. */
export const problemAt = (yaml: YamlDocument, pointer: string, detail: string): FileProblem => {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return toProblem(yaml, { offset: findOffset(yaml.document, parts), pointer, detail });
};

const findOffset = (document: Document, parts: readonly string[]): number => {
  let node: unknown = document.contents;
  let offset = findStart(node) ?? 0;
  for (const part of parts) {
    const inside = isAlias(node) ? node.resolve(document) : node;
    const found = findChild(inside, part);
    if (found === undefined) return offset;
    offset = findStart(isPair(found) ? found.key : found) ?? offset;
    node = isPair(found) ? found.value : found;
  }
  return offset;
};

const findChild = (node: unknown, part: string): unknown => {
  if (isSeq(node)) return node.items[Number(part)];
  return isMap(node) ? node.items.find(({ key }) => keyText(key) === part) : undefined;
};

const findStart = (node: unknown): number | undefined =>
  typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)
    ? Number(node.range[0])
    : undefined;
