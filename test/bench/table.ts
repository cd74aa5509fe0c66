/** Table of a topic, with notes on how to read it. */
export type Table = {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  notes?: readonly string[];
  /** More precise data for `--json`; by default columns and rows. */
  data?: unknown;
};

/** A text, or a number that is printed with three significant digits. */
export type Cell = string | number;

/** Renders a table with its title and notes. */
export const renderTable = ({ title, notes = [], ...table }: Table): string =>
  [`### ${title}`, "", renderRows(table), ...(notes.length > 0 ? ["", ...notes] : []), ""].join(
    "\n",
  );

/** Renders rows as Markdown with aligned columns, numbers on the right. */
export const renderRows = ({ columns, rows }: Pick<Table, "columns" | "rows">): string => {
  const isNumber = columns.map((_, at) => rows.some((row) => typeof row[at] === "number"));
  const texts = [columns, ...rows].map((row) => columns.map((_, at) => formatCell(row[at] ?? "")));
  const widths = columns.map((_, at) => Math.max(3, ...texts.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .map((cell, at) =>
        isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join(" | ")} |`;
  const rule = `|${widths.map((width, at) => `${"-".repeat(width + 1)}${isNumber[at] ? ":" : "-"}`).join("|")}|`;
  const [head = [], ...body] = texts;
  return [line(head), rule, ...body.map(line)].join("\n");
};

const formatCell = (cell: Cell): string => {
  if (typeof cell === "string") return cell;
  if (Number.isInteger(cell)) return String(cell);
  return cell.toFixed(Math.abs(cell) >= 100 ? 0 : Math.abs(cell) >= 10 ? 1 : 2);
};
