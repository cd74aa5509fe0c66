import {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { mask } from "../../lib/platform/http/mask.ts";
import { isRecord } from "../../lib/values/json/json.ts";
import { fileMembers } from "./agent-file.ts";
import { type Environment, standsFor, unescapeVariables } from "./environment.ts";
import type { FileValue } from "./file-value.ts";
import { isSame, type Members } from "./json-value.ts";
import { keepLines } from "./keep-lines.ts";
import { keyText } from "./yaml-document.ts";

/** Renders a document with the indentation of a text; long lines are kept. */
export const renderYaml = (document: Document, like = ""): string => {
  const lines = like.split("\n");
  const indent = lines.map(measureIndent).find((width) => width > 0) ?? 2;
  const list = lines.findIndex((line, at) => at > 0 && line.trimStart().startsWith("- "));
  const indentSeq = list === -1 || measureIndent(lines[list]) > measureIndent(lines[list - 1]);
  // Quoted texts are written on one line: over several, the reader drops escaped white space at the end of a line.
  const doubleQuotedMinMultiLineLength = Number.MAX_SAFE_INTEGER;
  return document.toString({ lineWidth: 0, indent, indentSeq, doubleQuotedMinMultiLineLength });
};

/**
 * Renders a merged document in the style of its text: lines without a change stay as they are written. Where that is not
 * possible, as in a text of several indentations, the whole document is rendered.
 */
export const renderMerged = (document: Document, text: string): string =>
  mergedTexts(document, text).merged;

/** Returns a merged document as `renderMerged` does, and the text that it is to be compared with, in the same style. */
export const mergedTexts = (
  document: Document,
  text: string,
): { merged: string; comparedWith: string } => {
  const changed = renderYaml(document, text);
  const own = parseDocument(text, yamlOptions);
  expandAliases(own);
  const normal = renderYaml(own, text);
  const kept = keepLines(text, normal, changed);
  return isSame(parseDocument(kept, yamlOptions).toJS(), document.toJS())
    ? { merged: kept, comparedWith: text }
    : { merged: changed, comparedWith: normal };
};

const yamlOptions = { version: "1.2", schema: "core", logLevel: "silent" } as const;

const measureIndent = (line = ""): number => line.length - line.trimStart().length;

/** Creates the document of a new file, with the members of `head` first. */
export const newDocument = (head: Members, { compact }: FileValue, comment: string): Document => {
  const document = new Document(null, { version: "1.2", schema: "core" });
  document.contents = createNode(document, { ...head, ...compact });
  document.commentBefore = comment;
  return document;
};

/**
 * Writes a value into a document. Equal parts stay as they are written: comments, order, quotes,
 * variables, and members with a default value. Returns whether anything changed.
 */
export const mergeInto = (
  document: Document,
  { full, compact }: FileValue,
  environment: Environment,
): boolean => {
  expandAliases(document);
  const merging = { document, environment, isChanged: false };
  const { contents } = document;
  document.contents = isMap(contents)
    ? mergeMap(merging, contents, { full, compact }, fileMembers)
    : create(merging, compact);
  return merging.isChanged;
};

/** A merge under way; `isChanged` is set by the first change. */
type Merging = { document: Document; environment: Environment; isChanged: boolean };

const create = (merging: Merging, value: unknown): Node => {
  merging.isChanged = true;
  return createNode(merging.document, value);
};
type Values = { full: unknown; compact: unknown };

/** An alias may not outlive a change of its anchor. */
const expandAliases = (document: Document): void => {
  visit(document, {
    Alias: (_, alias) => {
      const target = alias.resolve(document);
      if (!target) return undefined;
      const copy = target.clone();
      if (isNode(copy)) visit(copy, withoutAnchors);
      return isNode(copy) ? copy : undefined;
    },
  });
  visit(document, withoutAnchors);
};

const withoutAnchors = {
  Node: (_: unknown, node: Node): void => {
    if ("anchor" in node) delete node.anchor;
  },
};

const merge = (merging: Merging, node: unknown, values: Values): Node => {
  const { compact } = values;
  if (isMap(node) && isRecord(compact)) return mergeMap(merging, node, values, []);
  if (isSeq(node) && Array.isArray(compact)) return mergeSeq(merging, node, values);
  if (isScalar(node) && isUnchanged(merging, node, compact)) return node;
  const fresh = create(merging, compact);
  if (!isNode(node) || isAlias(node)) return fresh;
  if (isScalar(node) && isScalar(fresh)) keepStyle(node, fresh);
  fresh.commentBefore = node.commentBefore;
  fresh.comment = node.comment;
  fresh.spaceBefore = node.spaceBefore;
  return fresh;
};

const isUnchanged = ({ environment }: Merging, { value: written }: Scalar, value: unknown) =>
  typeof written === "string" && typeof value === "string"
    ? value === mask ||
      written === value ||
      standsFor(written, unescapeVariables(value), environment)
    : isSame(written, value);

const keepStyle = (node: Scalar, fresh: Scalar): void => {
  if (typeof fresh.value === "string" && fresh.type === undefined && node.type?.startsWith("QUOTE"))
    fresh.type = node.type;
};

const mergeMap = (
  merging: Merging,
  map: YAMLMap,
  { full, compact }: Values,
  kept: readonly string[],
): YAMLMap => {
  const values = isRecord(compact) ? compact : {};
  const defaults = isRecord(full) ? full : {};
  const count = map.items.length;
  if (count === 0 && Object.keys(values).length > 0) map.flow = false;
  map.items = map.items.filter((pair) => {
    const name = keyText(pair.key);
    const inside = { full: defaults[name], compact: values[name] };
    if (Object.hasOwn(values, name)) pair.value = merge(merging, pair.value, inside);
    else if (!kept.includes(name) && !name.startsWith("x-")) {
      return Object.hasOwn(defaults, name) && statesDefault(merging, pair.value, defaults[name]);
    }
    return true;
  });
  if (map.items.length < count) merging.isChanged = true;
  let after = map.items.findLastIndex(({ key }) => kept.includes(keyText(key)));
  for (const [name, value] of Object.entries(values)) {
    const at = map.items.findIndex(({ key }) => keyText(key) === name);
    if (at === -1) {
      after += 1;
      map.items.splice(
        after,
        0,
        new Pair(createNode(merging.document, name), create(merging, value)),
      );
    } else after = at;
  }
  return map;
};

const statesDefault = ({ document }: Merging, node: unknown, value: unknown): boolean =>
  node === null || (isNode(node) && isSame(node.toJS(document) ?? value, value));

const mergeSeq = (merging: Merging, seq: YAMLSeq, { full, compact }: Values): YAMLSeq => {
  const values: readonly unknown[] = Array.isArray(compact) ? compact : [];
  const defaults: readonly unknown[] = Array.isArray(full) ? full : [];
  const free = seq.items.map((node) => ({
    node,
    value: isNode(node) ? node.toJS(merging.document) : node,
  }));
  const take = (fits: (value: unknown) => boolean): unknown => {
    const at = free.findIndex((item) => fits(item.value));
    return at === -1 ? undefined : free.splice(at, 1)[0]?.node;
  };
  const equal = values.map((value) => take((other) => isSame(other, value)));
  const named = values.map((value, at) => {
    if (equal[at] !== undefined) return equal[at];
    const name = identifyItem(value);
    return name === undefined ? undefined : take((other) => identifyItem(other) === name);
  });
  const before = seq.items;
  if (before.length === 0 && values.length > 0) seq.flow = false;
  seq.items = values.map((value, at) => {
    const node = named[at] ?? take((other) => identifyItem(other) === undefined);
    return merge(merging, node, { full: defaults[at], compact: value });
  });
  if (!isSameOrder(before, seq.items)) merging.isChanged = true;
  return seq;
};

const isSameOrder = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.length === after.length && before.every((node, at) => node === after[at]);

/** Returns what identifies an item of a list; undefined for items that only their position identifies. */
const identifyItem = (item: unknown): string | undefined => {
  if (!isRecord(item)) return undefined;
  const parts = item.id ?? item.name ?? item.providerId ?? [item.source, item.target];
  return JSON.stringify(parts);
};

/** Characters that a block of text would lose or hide. */
const unreadable = /[^\P{Cc}\n\t]|[\u0085\u2028\u2029\ufeff]/u;

const createNode = (document: Document, value: unknown): Node => {
  const node = document.createNode(value, { aliasDuplicateObjects: false });
  visit(node, {
    Scalar: (at, scalar) => {
      if (typeof scalar.value !== "string" || at === "key") return;
      if (unreadable.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
      else if (scalar.value.includes("\n")) scalar.type = multilineType(scalar.value);
    },
  });
  return node;
};

/** A block shows a text line by line, but does not keep every white space. */
const multilineType = (text: string): Scalar.Type => {
  const probe = new Scalar(text);
  probe.type = Scalar.BLOCK_LITERAL;
  const written = renderYaml(new Document([{ probe }], { version: "1.2", schema: "core" }));
  const [read] = parseDocument(written).toJS() ?? [];
  return isSame(read, { probe: text }) ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
};
