import type { Charge } from "../../values/text/charge.ts";
import { createTextWriter, type TextWriter } from "../../values/text/text-writer.ts";
import { listMember, member, textMember } from "../shared/source/member.ts";

const paragraphs = new Set(
  "paragraph heading blockquote panel codeBlock mediaSingle mediaGroup rule expand nestedExpand layoutSection layoutColumn table blockCard embedCard extension bodiedExtension caption".split(
    " ",
  ),
);
const lists = new Set(["bulletList", "orderedList", "taskList", "decisionList"]);
const items = new Set(["listItem", "taskItem", "blockTaskItem", "decisionItem"]);
const cells = new Set(["tableCell", "tableHeader"]);

type Visit = { readonly node: unknown; readonly parent: string; readonly index: number };

/** Siblings being visited; `first` is the list number of the first one. */
type Level = {
  readonly nodes: readonly unknown[];
  readonly parent: string;
  readonly first: number;
  at: number;
};

/**
 * Converts a document in the Atlassian Document Format to text. Reads the children of unknown nodes; returns "" for
 * anything else. Does not recurse, so depth is unlimited. Throws only what `charge` throws.
 */
export const adfToText = (doc: unknown, charge: Charge): string => {
  const writer = createTextWriter();
  const open: (Level | (() => void))[] = [{ nodes: [doc], parent: "", first: 0, at: 0 }];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (typeof last === "function" || last.at === last.nodes.length) {
      open.pop();
      if (typeof last === "function") last();
      continue;
    }
    const { nodes, parent, first, at } = last;
    last.at += 1;
    const node = nodes[at];
    const type = textMember(node, "type");
    charge(1 + textMember(node, "text").length);
    const end = start(writer, { node, parent, index: first + at }, type);
    if (end !== undefined) open.push(end);
    const children = Array.isArray(node) ? node : listMember(node, "content");
    const order = type === "orderedList" ? member(member(node, "attrs"), "order") : undefined;
    const number = typeof order === "number" && Number.isSafeInteger(order) ? order : 1;
    if (children.length > 0) open.push({ nodes: children, parent: type, first: number, at: 0 });
  }
  return writer.take();
};

const start = (writer: TextWriter, visit: Visit, type: string): (() => void) | undefined => {
  const { node, parent, index } = visit;
  const attributes = member(node, "attrs");
  if (type === "text") {
    const text = textMember(node, "text");
    if (parent === "codeBlock") writer.raw(text);
    else writer.text(text);
    return undefined;
  }
  if (type === "hardBreak") writer.lineBreak();
  if (paragraphs.has(type)) writer.paragraph();
  writer.text(attributeText(type, attributes));
  if (type === "expand" || type === "nestedExpand") writer.paragraph();
  if (paragraphs.has(type)) return () => writer.paragraph();
  if (lists.has(type)) {
    writer.list(1);
    return () => writer.list(-1);
  }
  if (items.has(type)) {
    writer.item(formatMarker(type, parent, index, attributes));
    return () => writer.line();
  }
  if (type === "tableRow") {
    writer.row();
    return () => writer.row();
  }
  if (cells.has(type)) {
    writer.cell();
    return () => writer.endCell();
  }
  return undefined;
};

const formatMarker = (type: string, parent: string, index: number, attributes: unknown): string => {
  if (type === "taskItem" || type === "blockTaskItem") {
    return textMember(attributes, "state") === "DONE" ? "[x] " : "[ ] ";
  }
  return parent === "orderedList" ? `${index}. ` : "- ";
};

/** Returns the text of a node that has it in its attributes. */
const attributeText = (type: string, attributes: unknown): string => {
  switch (type) {
    case "mention":
    case "status":
    case "extension":
    case "inlineExtension":
      return textMember(attributes, "text");
    case "emoji":
      return textMember(attributes, "text") || textMember(attributes, "shortName");
    case "inlineCard":
    case "blockCard":
    case "embedCard":
      return textMember(attributes, "url") || textMember(member(attributes, "data"), "name");
    case "media":
    case "mediaInline":
      return textMember(attributes, "alt");
    case "expand":
    case "nestedExpand":
      return textMember(attributes, "title");
    case "date":
      return formatDate(member(attributes, "timestamp"));
    default:
      return "";
  }
};

/** Formats a Unix time in milliseconds, a string or a number, as a date such as 2026-11-21. */
const formatDate = (timestamp: unknown): string => {
  const day = new Date(Number(typeof timestamp === "string" ? timestamp || Number.NaN : timestamp));
  return Number.isNaN(day.getTime()) ? "" : day.toISOString().slice(0, 10);
};
