import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/** Writes a file that only its owner may read (mode 0600), whole or not at all. */
export const writePrivately = (path: string, text: string): void => {
  renameSync(writeDraft(path, text), path);
};

/** The same, unless the file is there already; of several that try at once, one succeeds. */
export const writePrivatelyOnce = (path: string, text: string): void => {
  const draft = writeDraft(path, text);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
};

const writeDraft = (path: string, text: string): string => {
  const draft = `${path}.${randomUUID()}.draft`;
  const file = openSync(draft, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
};
