import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { lockFile } from "../file-lock.ts";
import { isAlive } from "../is-alive.ts";
import { writePrivateFile } from "../private-file.ts";

const completeFile = "done";
const keptUnused = 3;

/** A folder to find or make: `<root>/<kind>-<hash>`. */
export type KeptFolder = { root: string; kind: string; hash: string };

/** Returns the path of a kept folder. */
export const buildKeptPath = ({ root, kind, hash }: KeptFolder): string =>
  join(root, `${kind}-${hash}`);

/**
 * Returns the folder's path, after `make` filled it unless that was done before. If several
 * processes request a folder of the same kind concurrently, one makes it and the others wait.
 * Removes folders of that kind that are neither in use nor among the three used last.
 */
export const findOrMake = async (
  folder: KeptFolder,
  make: (directory: string) => Promise<void>,
): Promise<string> => {
  const { root, kind } = folder;
  mkdirSync(root, { recursive: true });
  const lock = await lockFile(join(root, `${kind}.lock`));
  try {
    const directory = buildKeptPath(folder);
    if (!existsSync(join(directory, completeFile))) {
      removeUnused(root, kind);
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory);
      await make(directory);
      writePrivateFile(join(directory, completeFile), "");
    }
    noteUse(directory);
    return directory;
  } finally {
    lock.release();
  }
};

const userFile = /^used-by-(\d+)$/;

/** This process may load files of the folder for as long as it lives. */
const noteUse = (directory: string): void => {
  writePrivateFile(join(directory, `used-by-${process.pid}`), "");
  utimesSync(directory, new Date(), new Date());
};

const removeUnused = (root: string, kind: string): void => {
  const newestFirst = readdirSync(root)
    .filter((name) => name.startsWith(`${kind}-`))
    .map((name) => join(root, name))
    .map((path) => ({ path, used: statSync(path).mtimeMs }))
    .sort((a, b) => b.used - a.used);
  for (const { path } of newestFirst.slice(keptUnused)) {
    if (!isUsed(path)) rmSync(path, { recursive: true, force: true });
  }
};

const isUsed = (directory: string): boolean =>
  readdirSync(directory).some((name) => {
    const pid = userFile.exec(name)?.[1];
    return pid !== undefined && isAlive(Number(pid));
  });
