import type { Io } from "./io.ts";
import { cutTo, displayWidth, printable, printableText } from "./printable.ts";

/** Prints a message to stderr; stdout is for data only. */
export const printMessage = ({ stderr }: Pick<Io, "stderr">, message: string): void => {
  stderr.write(`${printable(message)}\n`);
};

/** Prints JSON, with all control characters escaped. */
export const printJson = ({ stdout }: Pick<Io, "stdout">, value: unknown): void => {
  stdout.write(`${escapeControls(JSON.stringify(value, null, 2))}\n`);
};

const escapeControls = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );

/** Prints JSON on one line. */
export const printJsonLine = ({ stdout }: Pick<Io, "stdout">, value: unknown): void => {
  stdout.write(`${escapeControls(JSON.stringify(value))}\n`);
};

/** Prints a value: text as it is, anything else as JSON. */
export const printValue = (io: Pick<Io, "stdout">, value: unknown): void => {
  if (typeof value === "string") io.stdout.write(`${printableText(value)}\n`);
  else printJson(io, value);
};

/**
 * Prints a table with a heading and aligned columns. Lines are cut to the terminal's width, but not in a pipe or
 * file.
 */
export const printTable = (
  { stdout }: Pick<Io, "stdout">,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): void => {
  const lines = [heading, ...rows.map((row) => row.map(printable))];
  const widths = heading.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, displayWidth(line[column] ?? "")), 0),
  );
  const limit = stdout.isTTY === true ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  const text = lines.map((line) => {
    const cells = line.map((cell, column) => padTo(cell, widths[column] ?? 0));
    return `${cutTo(cells.join("  ").trimEnd(), limit)}\n`;
  });
  stdout.write(text.join(""));
};

/** The columns of a list. */
export type ListTable<Item> = {
  items: readonly Item[];
  /** Message for an empty list. */
  none: string;
  heading: readonly string[];
  toRow: (item: Item) => readonly string[];
};

/** Prints a list: as `{"items": […]}`, or as a table. */
export const printList = <Item>(
  io: Pick<Io, "stdout" | "stderr">,
  { json }: { json: boolean },
  { items, none, heading, toRow }: ListTable<Item>,
): void => {
  if (json) printJson(io, { items });
  else if (items.length === 0) printMessage(io, none);
  else printTable(io, heading, items.map(toRow));
};

/** Prints names and values, one a line; a value may have several lines. */
export const printFields = (
  { stdout }: Pick<Io, "stdout">,
  fields: readonly (readonly [name: string, value: string])[],
): void => {
  const width = Math.max(...fields.map(([name]) => displayWidth(name))) + 2;
  const lines = fields.map(([name, value]) => {
    const text = value
      .split("\n")
      .map(printable)
      .join(`\n${" ".repeat(width)}`);
    return `${padTo(name, width)}${text}`.trimEnd();
  });
  stdout.write(`${lines.join("\n")}\n`);
};

const padTo = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - displayWidth(text)));

/** Formats a time as ISO 8601 in UTC to the second; `never` for null. */
export const showTime = (time: number | string | null): string => {
  if (time === null) return "never";
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : `${date.toISOString().slice(0, 19)}Z`;
};
