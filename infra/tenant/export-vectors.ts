import { type ExportRun, writeLines } from "./export-run.ts";
import type { ExportFile } from "./manifest.ts";
import { formatCount } from "./progress.ts";
import { listVectors } from "./vectors.ts";

/**
 * Exports the vectors of a tenant's indexes, as embedding the texts again would cost money and needs the providers. An
 * index that was interrupted is exported again.
 */
export const exportVectors = async (run: ExportRun): Promise<void> => {
  const { cursor, source, save, progress } = run;
  while (cursor.indexesDone < cursor.indexes.length) {
    const index = cursor.indexes[cursor.indexesDone] ?? "";
    const files: ExportFile[] = [];
    for await (const page of listVectors(source, index)) {
      const name = `vectors/${index}-${String(files.length + 1).padStart(5, "0")}.jsonl`;
      const lines = page.map((vector) => JSON.stringify(vector));
      files.push(await writeLines(run, { name, kind: "vectors", index }, lines));
    }
    cursor.files.push(...files);
    cursor.vectors += files.reduce((total, { count }) => total + count, 0);
    cursor.indexesDone += 1;
    await save();
    progress(`vectors: ${formatCount(cursor.vectors)} exported`);
  }
  progress(`vectors: ${formatCount(cursor.vectors)} exported`, { isMilestone: true });
};
