import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from "yaml";
import { FrontMatterError } from "./front-matter-error.ts";
import { quoteValues } from "./quote-values.ts";
import type { SplitFile } from "./split-front-matter.ts";

/** Front matter of a skill; missing or empty members are undefined. */
export type FrontMatter = {
  name: string | undefined;
  title: string | undefined;
  description: string | undefined;
  /** Unparsed values of `allowed-tools`. */
  allowedTools: string[];
  /** Texts under `metadata`. */
  metadata: ReadonlyMap<string, string>;
  /** Names of the other members. */
  others: string[];
};

const maxCharacters = 16_384;
const maxAliases = 10;

/**
 * Reads front matter; warns of errors that it fixes, throws FrontMatterError for others. Follows an alias once
 * and never expands the whole, so that nothing grows.
 */
export const readFrontMatter = (
  { lines, firstLine, isClosed }: NonNullable<SplitFile["frontMatter"]>,
  warn: (warning: string) => void,
): FrontMatter => {
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (length > maxCharacters) {
    throw new FrontMatterError(firstLine, `is longer than ${maxCharacters} characters`);
  }
  const document = parse(lines, firstLine, warn);
  const { contents } = document;
  if (contents !== null && !isMap(contents)) {
    throw new FrontMatterError(firstLine, 'must be lines of "key: value"');
  }
  if (!isClosed) warn('The front matter is not closed by a line "---": it was read up to here.');
  const text = (key: string) => readScalar(document, key, warn);
  return {
    name: text("name"),
    title: text("title"),
    description: text("description"),
    allowedTools: readScalars(
      document,
      document.has("allowed-tools") ? "allowed-tools" : "allowed_tools",
    ),
    metadata: readTexts(document, "metadata", warn),
    others: listKeys(document.contents).filter((key) => !members.includes(key)),
  };
};

const members: readonly string[] = [
  "name",
  "title",
  "description",
  "allowed-tools",
  "allowed_tools",
  "metadata",
];

const parse = (
  lines: readonly string[],
  firstLine: number,
  warn: (warning: string) => void,
): Document.Parsed => {
  const first = parseYaml(lines);
  if (first.failure === undefined) return first.document;
  const quoted = quoteValues(lines);
  const second = quoted && parseYaml(quoted);
  if (second?.failure === undefined && second) {
    warn("A value in the front matter was put in quotes: without them it is not valid YAML.");
    return second.document;
  }
  const { line, message } = first.failure;
  throw new FrontMatterError(firstLine + line - 1, message);
};

const parseYaml = (lines: readonly string[]) => {
  const lineCounter = new LineCounter();
  const document = parseDocument(lines.join("\n"), {
    version: "1.2",
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error",
    lineCounter,
  });
  return { document, failure: findFailure(document, lineCounter) };
};

const findFailure = (
  document: Document.Parsed,
  lineCounter: LineCounter,
): { line: number; message: string } | undefined => {
  const [error] = document.errors;
  const toLineNumber = (offset: number) => Math.max(1, lineCounter.linePos(offset).line);
  if (error) {
    const message =
      error.code === "RESOURCE_EXHAUSTION" ? "nests too deeply" : error.message.slice(0, 200);
    return { line: toLineNumber(error.pos[0]), message };
  }
  let aliases = 0;
  let tooMany: number | undefined;
  visit(document, {
    Alias: (_, { range }) => {
      aliases += 1;
      if (aliases <= maxAliases) return undefined;
      tooMany = toLineNumber(range?.[0] ?? 0);
      return visit.BREAK;
    },
  });
  if (tooMany === undefined) return undefined;
  return { line: tooMany, message: `has more than ${maxAliases} aliases` };
};

const nodeAt = (document: Document.Parsed, key: string): unknown => {
  if (!isMap(document.contents)) return undefined;
  const same = (pair: { key: unknown }) => isScalar(pair.key) && pair.key.value === key;
  const node = document.contents.items.findLast(same)?.value;
  return isAlias(node) ? node.resolve(document) : node;
};

/** Returns a scalar as written: `1.10` stays `1.10`. */
const scalarText = (node: unknown): string | undefined => {
  if (!isScalar(node) || node.value === null) return undefined;
  const text = typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
  return text.trim() === "" ? undefined : text.trim();
};

const readScalar = (
  document: Document.Parsed,
  key: string,
  warn: (warning: string) => void,
): string | undefined => {
  const node = nodeAt(document, key);
  if (node && !isScalar(node)) warn(`"${key}" in the front matter is not a string.`);
  return scalarText(node);
};

const listKeys = (node: unknown): string[] =>
  isMap(node) ? [...new Set(node.items.flatMap(({ key }) => scalarText(key) ?? []))] : [];

const readTexts = (
  document: Document.Parsed,
  key: string,
  warn: (warning: string) => void,
): Map<string, string> => {
  const node = nodeAt(document, key);
  if (node && !isMap(node) && scalarText(node) !== undefined) {
    warn(`"${key}" in the front matter is not a map.`);
  }
  const pairs = isMap(node) ? node.items : [];
  return new Map(
    pairs.flatMap(({ key: name, value }) => {
      const named = scalarText(name);
      const text = scalarText(isAlias(value) ? value.resolve(document) : value) ?? "";
      return named === undefined ? [] : [[named, text]];
    }),
  );
};

const readScalars = (document: Document.Parsed, key: string): string[] => {
  const node = nodeAt(document, key);
  const nodes = isSeq(node) ? node.items : [node];
  return nodes.flatMap((node) => scalarText(node) ?? []);
};
