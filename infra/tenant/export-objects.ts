import { inTurns } from "../../lib/platform/deletion/in-turns.ts";
import { listObjects, readObject } from "./bucket-objects.ts";
import { type ExportRun, writeLines } from "./export-run.ts";
import { hashBytes } from "./file-store.ts";
import type { ObjectLine } from "./manifest.ts";
import { listObjectPrefixes } from "./object-families.ts";
import { formatCount } from "./progress.ts";

/** Objects of a file, after which the position is saved. */
const objectsPerFile = 100;

/** Exports the objects of a tenant, one to a file, which is named by a hash of the object's key. */
export const exportObjects = async (run: ExportRun, tenantId: string): Promise<void> => {
  const { cursor, source, save, progress } = run;
  const at = cursor.objectsAt;
  const prefixes = listObjectPrefixes(tenantId);
  for (; at.prefix < prefixes.length; at.prefix += 1) {
    const prefix = prefixes[at.prefix] ?? "";
    for await (const page of listObjects(source, prefix, at.after)) {
      for (let start = 0; start < page.length; start += objectsPerFile) {
        const keys = page.slice(start, start + objectsPerFile).map(({ key }) => key);
        await exportSome(run, keys);
        at.after = keys.at(-1);
        await save();
        progress(`objects: ${formatCount(cursor.objects.count)} exported`);
      }
    }
    at.after = undefined;
  }
  await save();
  progress(`objects: ${formatCount(cursor.objects.count)} exported`, { isMilestone: true });
};

const exportSome = async (run: ExportRun, keys: readonly string[]): Promise<void> => {
  const { cursor, source, store } = run;
  const lines: ObjectLine[] = [];
  await inTurns(keys, async (key) => {
    const found = await readObject(source, key);
    if (!found) return;
    const { content, contentType, contentEncoding } = found;
    const file = `objects/${hashBytes(key)}`;
    await store.put(file, content);
    const sha256 = hashBytes(content);
    lines.push({ key, file, bytes: content.byteLength, sha256, contentType, contentEncoding });
  });
  if (lines.length === 0) return;
  cursor.objectsAt.parts += 1;
  const name = `objects-${String(cursor.objectsAt.parts).padStart(5, "0")}.jsonl`;
  const file = { name, kind: "objects" } as const;
  cursor.files.push(
    await writeLines(
      run,
      file,
      lines.map((line) => JSON.stringify(line)),
    ),
  );
  cursor.objects.count += lines.length;
  cursor.objects.bytes += lines.reduce((total, { bytes }) => total + bytes, 0);
};
