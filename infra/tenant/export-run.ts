import { type FileStore, hashBytes } from "./file-store.ts";
import type { Installation } from "./installation.ts";
import type { Cursor, ExportFile } from "./manifest.ts";
import type { Pace } from "./pace.ts";
import type { Progress } from "./progress.ts";

/** Dependencies of an export. */
export type ExportDeps = {
  readonly source: Installation;
  readonly store: FileStore;
  readonly pace: Pace;
  readonly progress: Progress;
  readonly clock: () => number;
  readonly newId: () => string;
};

/** An export under way. */
export type ExportRun = ExportDeps & {
  readonly cursor: Cursor;
  /** Saves the cursor, after the files that it names were written. */
  readonly save: () => Promise<void>;
};

/** Writes a file of lines, and returns its entry of the manifest. */
export const writeLines = async (
  { store }: Pick<ExportRun, "store">,
  file: Pick<ExportFile, "name" | "kind" | "index">,
  lines: readonly string[],
): Promise<ExportFile> => {
  const content = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  await store.put(file.name, content);
  return {
    ...file,
    count: lines.length,
    bytes: content.byteLength,
    sha256: hashBytes(content),
  };
};
