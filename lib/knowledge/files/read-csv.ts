import { parse } from "csv-parse/sync";
import { detectDelimiter } from "./csv-delimiter.ts";
import { FileRefused } from "./file-refused.ts";

/**
 * Converts CSV to text: a paragraph for each row, with a line `header: value` for each cell, so that a chunk of it can be
 * understood without the first row. Throws FileRefused for broken quotes.
 */
export const csvToText = (csv: string): string => {
  const [headers = [], ...rows] = parseRows(csv);
  if (rows.length === 0) return headers.join("\n");
  return rows.map((row) => toParagraph(headers, row)).join("\n\n");
};

const toParagraph = (headers: readonly string[], row: readonly string[]): string =>
  row
    .flatMap((value, at) => {
      const header = headers[at]?.trim() || `Column ${at + 1}`;
      return value.trim() === "" ? [] : [`${header}: ${value.trim()}`];
    })
    .join("\n");

const parseRows = (csv: string): string[][] => {
  try {
    return parse(csv, {
      bom: true,
      delimiter: detectDelimiter(csv),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    });
  } catch (error) {
    const line = /line (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    throw new FileRefused(`is not valid CSV${line ? `: see the quotes near line ${line}` : ""}.`);
  }
};
