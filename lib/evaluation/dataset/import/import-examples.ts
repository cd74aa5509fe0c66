import { readCsvRow } from "./csv-row.ts";
import type {
  ImportedExample,
  ImportFormat,
  ImportNames,
  ImportProblem,
  ImportRecord,
  ReadRecord,
} from "./imported.ts";
import { isLangfuseItem, readLangfuseItem } from "./langfuse.ts";
import { isOpenAiEval, readOpenAiEval } from "./openai-evals.ts";
import { readOwnExample } from "./own-example.ts";
import { readCsvRecords } from "./read-csv-records.ts";
import { readJsonRecords } from "./read-json-records.ts";

/**
 * The examples of a file, with their places in it. `skipped`: records that were left out, such as
 * archived ones.
 */
export type Imported = {
  format: ImportFormat;
  items: ImportedExample[];
  places: string[];
  skipped: number;
  problems: ImportProblem[];
};

/**
 * Reads the examples of a file: JSON lines or a JSON array of examples, of OpenAI Evals or of a Langfuse dataset's
 * export, or CSV with a header. The format is recognized by the content unless given. Runs in a browser, too.
 */
export const importExamples = (
  text: string,
  { format, ...names }: ImportNames & { format?: ImportFormat | undefined } = {},
): Imported => {
  const json = text.replace(/^\ufeff/, "");
  const isJson = /^\s*[[{]/.test(json);
  const { records, problems } = isJson ? readJsonRecords(json) : readCsvRecords(text);
  const found = format ?? detectFormat(records, isJson);
  const imported: Imported = {
    format: found,
    items: [],
    places: [],
    skipped: 0,
    problems: [...problems],
  };
  for (const record of records) {
    const read = readers[found](record, names);
    if (!read) imported.skipped += 1;
    else if ("detail" in read) imported.problems.push({ place: record.place, detail: read.detail });
    else {
      imported.items.push(read.example);
      imported.places.push(record.place);
    }
  }
  if (records.length === 0 && problems.length === 0) {
    imported.problems.push({ place: "", detail: "has no examples" });
  }
  return imported;
};

const readers: Record<ImportFormat, (record: ImportRecord, names: ImportNames) => ReadRecord> = {
  wharf: readOwnExample,
  "openai-evals": readOpenAiEval,
  langfuse: readLangfuseItem,
  csv: readCsvRow,
};

const detectFormat = ([first]: readonly ImportRecord[], isJson: boolean): ImportFormat => {
  if (first && isLangfuseItem(first)) return "langfuse";
  if (!isJson) return "csv";
  return first && isOpenAiEval(first) ? "openai-evals" : "wharf";
};
