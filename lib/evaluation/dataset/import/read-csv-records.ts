import { CsvError, parse } from "csv-parse/browser/esm/sync";
import * as z from "zod";
import { detectDelimiter } from "../../../knowledge/files/csv-delimiter.ts";
import { setMember } from "../../../values/json/json.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import type { ReadRecords } from "./read-json-records.ts";

/** Reads the rows of a CSV file by its header: empty cells are left out, and JSON in a cell is parsed. */
export const readCsvRecords = (text: string): ReadRecords => {
  try {
    const [header, ...rows] = parseRows(text);
    const names = header?.record.map((name) => name.trim()) ?? [];
    return {
      records: rows.map(({ record, line }) => ({
        place: `line ${line}`,
        members: toMembers(names, record),
      })),
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records: [], problems: [{ place: "", detail: `is not valid CSV: ${error.message}` }] };
  }
};

const Row = z
  .object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) })
  .transform(({ record, info }) => ({ record, line: info.lines }));

const parseRows = (text: string) =>
  z.array(Row).parse(
    parse(text, {
      bom: true,
      delimiter: detectDelimiter(text),
      info: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }),
  );

const toMembers = (names: readonly string[], cells: readonly string[]) => {
  const members: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) {
    const cell = cells[at] ?? "";
    if (name !== "" && cell !== "") setMember(members, name, cellValue(cell));
  }
  return members;
};

/** Only what cannot be meant as text is JSON: objects, arrays and quoted strings. */
const cellValue = (cell: string): unknown => {
  if (!/^\s*["[{]/.test(cell)) return cell;
  const parsed = parseJson(cell);
  return parsed.ok ? parsed.value : cell;
};
