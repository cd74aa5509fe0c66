import { listMember, member, textMember } from "./member.ts";
import type { TextWriter } from "./text-writer.ts";

/** The text of Notion's rich text: what every piece reads as. */
export const richText = (pieces: readonly unknown[]): string =>
  pieces.map((piece) => textMember(piece, "plain_text")).join("");

/** A page's title; "" when it has none. */
export function pageTitle(page: unknown): string {
  return propertiesOf(page, "title").join(" ");
}

/** A page's properties of the kind text, those that hold any. */
export function pageTexts(page: unknown): string[] {
  return propertiesOf(page, "rich_text");
}

function propertiesOf(page: unknown, type: string): string[] {
  const properties = member(page, "properties");
  if (typeof properties !== "object" || properties === null) return [];
  return Object.values(properties)
    .filter((property) => member(property, "type") === type)
    .map((property) => richText(listMember(property, type)).trim())
    .filter((text) => text !== "");
}

/** Kinds of blocks whose address is shown when they have no caption. */
const linked = new Set(["bookmark", "embed", "link_preview"]);

/**
 * Writes a block without its children. `number` is its place among the numbered items before it. A kind of
 * block that is not known yet is written as far as it has the members that others have.
 */
export function writeBlock(writer: TextWriter, block: unknown, number: number): void {
  const type = textMember(block, "type");
  const content = member(block, type);
  const text = richText(listMember(content, "rich_text"));
  if (type === "table_row") {
    writer.row();
    for (const cell of listMember(content, "cells")) {
      writer.cell();
      writer.text(Array.isArray(cell) ? richText(cell) : "");
      writer.endCell();
    }
    writer.row();
    return;
  }
  const marker = markerOf(type, content, number);
  if (marker === "") writer.paragraph();
  else writer.item(marker);
  if (type === "code") writer.raw(text);
  else writeLines(writer, text);
  const caption = richText(listMember(content, "caption"));
  const others = [
    textMember(content, "title"),
    textMember(content, "expression"),
    textMember(content, "name"),
    caption === "" && linked.has(type) ? textMember(content, "url") : caption,
  ];
  for (const other of others) {
    if (other === "") continue;
    writer.line();
    writer.text(other);
  }
  if (marker === "") writer.paragraph();
  else writer.line();
}

function markerOf(type: string, content: unknown, number: number): string {
  switch (type) {
    case "bulleted_list_item":
      return "- ";
    case "numbered_list_item":
      return `${number}. `;
    case "to_do":
      return member(content, "checked") === true ? "[x] " : "[ ] ";
    default:
      return "";
  }
}

/** A newline within rich text is one that somebody typed. */
function writeLines(writer: TextWriter, text: string): void {
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0) writer.lineBreak();
    writer.text(line);
  }
}
