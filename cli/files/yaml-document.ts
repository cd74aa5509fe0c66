import {
  type Document,
  type ErrorCode,
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

/**
 * Parses YAML 1.2. Returns the first syntax error, because the others are mostly its consequences, and all duplicate
 * names and constructs that JSON does not have.
 */
export const parseYaml = (
  file: string,
  text: string,
): { yaml: YamlDocument; problems: FileProblem[] } => {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...options, lineCounter: lines });
  const yaml = { file, text, document, lines };
  const faults = [...document.errors, ...document.warnings];
  const [syntaxError] = faults
    .filter(({ code }) => !separate.has(code))
    .sort((one, other) => one.pos[0] - other.pos[0]);
  const problems = (syntaxError ? [syntaxError] : faults).map(({ code, pos, message }) =>
    toProblem(yaml, { offset: pos[0], pointer: "", detail: explain(code, message) }),
  );
  return { yaml, problems };
};

/** Errors that have no others as their consequence. */
const separate: ReadonlySet<ErrorCode> = new Set(["DUPLICATE_KEY", "TAG_RESOLVE_FAILED"]);

const explain = (code: ErrorCode, message: string): string => {
  const [, bracket] = /^Flow (?:map|sequence) .* end with a (.)$/.exec(message) ?? [];
  if (bracket !== undefined) return `has a bracket that is not closed: ${bracket} is missing`;
  return explanations[code] ?? message;
};

/** Explains errors that the parser names in its own terms. */
const explanations: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY: "has a colon in a value, or a line with too much indentation",
  DUPLICATE_KEY: "has a name that is already used in this object",
  MULTILINE_IMPLICIT_KEY: "has a name over several lines; a colon or an indentation is wrong",
  TAB_AS_INDENT: "has a tab as indentation; use spaces",
};

const toProblem = ({ file, lines }: YamlDocument, { offset, pointer, detail }: Placed) => {
  const { line, col } = lines.linePos(offset);
  return { file, line: Math.max(1, line), column: Math.max(1, col), pointer, detail };
};

/** The value of a document, and its errors. */
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
  return { value, problems: placed.map((found) => toProblem(yaml, found)) };
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
