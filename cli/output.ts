import type { Io } from "./io.ts";
import { cutTo, displayWidth, printable } from "./printable.ts";

/** Prints a message to stderr; stdout is for data only. */
export const printMessage = ({ stderr }: Pick<Io, "stderr">, message: string): void => {
  stderr.write(`${printable(message)}\n`);
};

/** Prints JSON, with all control characters escaped. */
export const printJson = ({ stdout }: Pick<Io, "stdout">, value: unknown): void => {
  const text = JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
  stdout.write(`${text}\n`);
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

const padTo = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - displayWidth(text)));

/** Formats a time as ISO 8601 in UTC to the second; `never` for null. */
export const showTime = (time: number | string | null): string => {
  if (time === null) return "never";
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : `${date.toISOString().slice(0, 19)}Z`;
};
