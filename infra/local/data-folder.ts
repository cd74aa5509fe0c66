import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isMainThread } from "node:worker_threads";
import { type FileLock, tryLockFile } from "./file-lock.ts";
import { writePrivateFile } from "./private-file.ts";
import { StopError } from "./stop-error.ts";

/** Paths in a data folder. */
export type DataFolder = {
  directory: string;
  /** Addresses and credentials for API clients; exists while the stack is ready. */
  localJson: string;
  /** Endpoints and credentials for operator commands; exists while the stack is ready. */
  storageJson: string;
  /** IDs and API key of the demonstration; kept between starts. */
  demonstration: string;
  issuerKey: string;
  kmsKeys: string;
  tableDatabase: string;
  enginePid: string;
  engineLog: string;
  queuesAndBuckets: string;
  vectors: string;
  /** Sent mail, one file per message. */
  outbox: string;
  schedules: string;
  logs: string;
};

const defaultPath = ".wharf";

/** Returns the paths of a data folder, by default `.wharf`, without creating anything. */
export const dataFolderPaths = (path: string | undefined): DataFolder => {
  const directory = resolve(path || defaultPath);
  return {
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
    vectors: join(directory, "vectors"),
    schedules: join(directory, "schedules.db"),
    outbox: join(directory, "outbox"),
    logs: join(directory, "logs"),
  };
};

/**
 * Creates a data folder and returns its paths. The folder and what is in it are its owner's alone: folders 0700, files
 * 0600, also those that exist. Throws a StopError when it is not writable.
 */
export const openDataFolder = (path: string): DataFolder => {
  const folder = dataFolderPaths(path);
  // SQLite, the DynamoDB engine and the storage of objects create their files with the modes that it leaves.
  if (isMainThread) process.umask(0o077);
  try {
    createFolder(folder.logs);
    createFolder(folder.queuesAndBuckets);
    accessSync(folder.directory, constants.W_OK | constants.X_OK);
    makePrivate(folder);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : "unknown reason";
    throw new StopError(
      `The data folder ${folder.directory} is not writable (${reason}). Set WHARF_DATA_DIR to a writable folder.`,
    );
  }
  return folder;
};

const checkMilliseconds = 500;

/** Resolves with the message for the user when a data folder is deleted while the product runs. */
export const whenDeleted = ({ directory, issuerKey }: DataFolder): Promise<string> =>
  new Promise((resolveMessage) => {
    const timer = setInterval(() => {
      if (existsSync(issuerKey)) return;
      clearInterval(timer);
      resolveMessage(
        `The data folder ${directory} was deleted, and all data with it. Run npm start to begin with a new one.`,
      );
    }, checkMilliseconds);
    timer.unref();
  });

/** Returns the paths of the data folder of a product that has been started. Throws a StopError when there is none. */
export const existingDataFolder = (path: string | undefined): DataFolder => {
  const folder = dataFolderPaths(path);
  if (existsSync(folder.issuerKey)) return folder;
  throw new StopError(
    `${folder.directory} is not the data folder of a local product: it has no issuer-key.json. Run npm start, or set WHARF_DATA_DIR to the folder that it prints.`,
  );
};

/** Removes the permissions of others, in the folder's own entries: a user may have named a folder with other content. */
const makePrivate = (folder: DataFolder): void => {
  chmodSync(folder.directory, 0o700);
  const own = Object.values(folder).map((path) => relative(folder.directory, path).split(sep)[0]);
  for (const entry of readdirSync(folder.directory)) {
    const isOwn = own.some(
      (name) => name !== "" && (entry === name || entry.startsWith(`${name}-`)),
    );
    if (isOwn || /^lock\.|\.draft$/.test(entry)) makeEntryPrivate(join(folder.directory, entry));
  }
};

/**
 * A folder that is private already has nothing inside that others can reach. An entry may vanish meanwhile: an engine
 * that outlives its stack for a moment removes its own.
 */
const makeEntryPrivate = (path: string): void => {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory()) {
    if ((entry.mode & 0o777) === 0o700) return;
    for (const name of readdirSync(path)) makeEntryPrivate(join(path, name));
    chmodSync(path, 0o700);
  } else if (entry?.isFile() && (entry.mode & 0o777) !== 0o600) {
    try {
      chmodSync(path, 0o600);
    } catch (error) {
      if (existsSync(path)) throw error;
    }
  }
};

/** Creates a folder with its parents. Node's recursive `mkdir` never returns under /proc. */
const createFolder = (path: string): void => {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path);
};

/** Locks the folder for this process. Throws a StopError that names the process that holds the lock. */
export const lockDataFolder = ({ directory }: DataFolder): FileLock => {
  const pidFile = join(directory, "lock.pid");
  const lock = tryLockFile(join(directory, "lock.db"));
  if (lock === undefined) {
    throw new StopError(
      `The data folder ${directory} is in use by process ${readPid(pidFile)}. Stop it, or set WHARF_DATA_DIR to another folder.`,
    );
  }
  writePrivateFile(pidFile, String(process.pid));
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
