import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";

/** Writes a file atomically with mode 0600. */
export const writePrivateFile = (path: string, text: string): void => {
  renameSync(writeDraft(path, text), path);
};

/** Creates a file atomically with mode 0600 unless it exists; of concurrent calls one succeeds. */
export const createPrivateFile = (path: string, text: string): void => {
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
