import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

/** A lock on a file; `release` gives it back. */
export type FileLock = { release: () => void };

/** Referenced here, since a garbage-collected database releases its lock. */
const held = new Set<DatabaseSync>();

/**
 * Locks a file, or returns undefined if it is locked, also by this process. The lock is SQLite's own lock
 * on the file, so the kernel releases it when this process dies, however it dies.
 */
export const tryLockFile = (path: string): FileLock | undefined => {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
  } catch {
    database.close();
    return undefined;
  }
  held.add(database);
  return {
    release: () => {
      held.delete(database);
      database.close();
    },
  };
};

const retryMilliseconds = 50;

/** Locks a file as soon as it is free. */
export const lockFile = async (path: string): Promise<FileLock> => {
  for (;;) {
    const lock = tryLockFile(path);
    if (lock) return lock;
    await pause(retryMilliseconds);
  }
};
