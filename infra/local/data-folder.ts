import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type FileLock, tryLockFile } from "./file-lock.ts";
import { writePrivately } from "./private-file.ts";
import { StopError } from "./stop-error.ts";

/** Where things are in a data folder. */
export type DataFolder = {
  directory: string;
  /** What the API's users start from; there while the stack is ready. */
  localJson: string;
  /** Where the table answers; there while the stack is ready, for the operator's commands. */
  storageJson: string;
  /** What was made for the first start, its key among it; kept from start to start. */
  demonstration: string;
  issuerKey: string;
  kmsKeys: string;
  tableDatabase: string;
  enginePid: string;
  engineLog: string;
  queuesAndBuckets: string;
  /** What was sent by mail, a file each. */
  outbox: string;
  schedules: string;
  logs: string;
};

/** Names the parts of a data folder and makes the folder; a StopError when it cannot be written. */
export const openDataFolder = (path: string): DataFolder => {
  const directory = resolve(path);
  const folder = {
    directory,
    localJson: join(directory, "local.json"),
    storageJson: join(directory, "storage.json"),
    demonstration: join(directory, "demonstration.json"),
    issuerKey: join(directory, "issuer-key.json"),
    kmsKeys: join(directory, "kms-keys.json"),
    tableDatabase: join(directory, "table.db"),
    enginePid: join(directory, "dynoxide.pid"),
    engineLog: join(directory, "logs", "dynoxide.log"),
    queuesAndBuckets: join(directory, "queues-and-buckets"),
    schedules: join(directory, "schedules.db"),
    outbox: join(directory, "outbox"),
    logs: join(directory, "logs"),
  };
  try {
    makeFolder(folder.logs);
    makeFolder(folder.queuesAndBuckets);
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : "unknown reason";
    throw new StopError(
      `The data folder ${directory} cannot be written (${reason}). Set WHARF_DATA_DIR to a folder that can.`,
    );
  }
  return folder;
};

/** Node's own recursive `mkdir` never returns where the system says ENOENT for a child, as under /proc. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
};

/** Locks the folder for this process alone. Throws a StopError that names the process that has it. */
export const lockDataFolder = ({ directory }: DataFolder): FileLock => {
  const pidFile = join(directory, "lock.pid");
  const lock = tryLockFile(join(directory, "lock.db"));
  if (lock === undefined) {
    throw new StopError(
      `The data folder ${directory} is in use by process ${readPid(pidFile)}. Stop that one, or set WHARF_DATA_DIR to another folder.`,
    );
  }
  writePrivately(pidFile, String(process.pid));
  return {
    release: () => {
      rmSync(pidFile, { force: true });
      lock.release();
    },
  };
};

const readPid = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "(unknown)";
  }
};
