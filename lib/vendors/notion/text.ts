import type { TextWriter } from "../../values/text/text-writer.ts";
import { listMember, member, textMember } from "../shared/source/member.ts";

/** Returns the plain text of Notion's rich text. */
export const richText = (pieces: readonly unknown[]): string =>
  pieces.map((piece) => textMember(piece, "plain_text")).join("");

/** Returns a page's title, or "". */
export const pageTitle = (page: unknown): string => readProperties(page, "title").join(" ");

/** Returns the non-empty text properties of a page. */
export const pageTexts = (page: unknown): string[] => readProperties(page, "rich_text");

const readProperties = (page: unknown, type: string): string[] => {
  const properties = member(page, "properties");
  if (typeof properties !== "object" || properties === null) return [];
  return Object.values(properties)
    .filter((property) => member(property, "type") === type)
    .map((property) => richText(listMember(property, type)).trim())
    .filter((text) => text !== "");
};

/** Block types that are written as their address if they have no caption. */
const linked = new Set(["bookmark", "embed", "link_preview"]);

/**
 * Writes a block without its children; `number` is its position in a numbered list. Unknown block types are written
 * by the members that they share with known ones.
 */
export const writeBlock = (writer: TextWriter, block: unknown, number: number): void => {
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
  const marker = formatMarker(type, content, number);
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
};

const formatMarker = (type: string, content: unknown, number: number): string => {
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
};

/** Keeps newlines, which the author typed. */
const writeLines = (writer: TextWriter, text: string): void => {
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0) writer.lineBreak();
    writer.text(line);
  }
};
