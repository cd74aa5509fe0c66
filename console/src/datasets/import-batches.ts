import type { ImportedExample } from "../../../lib/evaluation/dataset/import/imported.ts";

const mostExamples = 1_000;
/** The API accepts 1 MiB; the object around the examples has some bytes, too. */
const mostBytes = 1_000_000;
const encoder = new TextEncoder();

/** Examples that one request adds, and how many are before them. */
export type ImportBatch = { start: number; items: ImportedExample[] };

/** Splits examples into as few requests as the limits of the API permit. */
export const splitBatches = (examples: readonly ImportedExample[]): ImportBatch[] => {
  const batches: ImportBatch[] = [];
  let bytes = 0;
  for (const [at, example] of examples.entries()) {
    const size = encoder.encode(JSON.stringify(example)).length + 1;
    const last = batches.at(-1);
    const isFull = !last || last.items.length === mostExamples || bytes + size > mostBytes;
    if (isFull) batches.push({ start: at, items: [example] });
    else last.items.push(example);
    bytes = isFull ? size : bytes + size;
  }
  return batches;
};
