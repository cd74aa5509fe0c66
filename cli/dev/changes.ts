import { type FSWatcher, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { waitFor } from "../../client/retry.ts";
import { agentFileEnding } from "../files/agent-file.ts";
import { unlessMissing } from "../files/folder.ts";

/** Editors save a file in several steps. */
const settleMilliseconds = 100;

/**
 * Iterates over the changes of agents and skills in a folder from now on, until the signal aborts.
 * It watches folders, because editors replace a file when they save it. After a change it watches
 * them again before reading the change, so that it also sees folders that were deleted and created
 * again.
 */
export const changesIn = async (
  folder: string,
  signal: AbortSignal,
): Promise<AsyncGenerator<void>> => {
  let changed = newEvent();
  const watching = async (): Promise<FSWatcher[]> => watchFolders(folder, () => changed.occur());
  let watchers = await watching();
  const stop = (): void => changed.occur();
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  const iterate = async function* (): AsyncGenerator<void> {
    try {
      for (;;) {
        await changed.occurred;
        await waitFor(settleMilliseconds, signal).catch(() => undefined);
        if (signal.aborted) return;
        changed = newEvent();
        const before = watchers;
        watchers = await watching();
        for (const watcher of before) watcher.close();
        yield;
      }
    } finally {
      for (const watcher of watchers) watcher.close();
    }
  };
  return iterate();
};

/** Watches the folder, its parent, in which it may be created again, and the folders of skills. */
const watchFolders = async (folder: string, occur: () => void): Promise<FSWatcher[]> => {
  const skills = join(folder, "skills");
  const isOwn = (name: string): boolean => name.endsWith(agentFileEnding) || name === "skills";
  const names = (await readdir(skills, { withFileTypes: true }).catch(unlessMissing)) ?? [];
  const watched: [path: string, concerns: (name: string) => boolean][] = [
    [dirname(folder), (name) => name === basename(folder)],
    [folder, isOwn],
    [skills, () => true],
    ...names
      .filter((entry) => entry.isDirectory())
      .map(({ name }): [string, () => boolean] => [join(skills, name), () => true]),
  ];
  return watched.flatMap(([path, concerns]) => watchFolder(path, concerns, occur) ?? []);
};

/** Watches one folder; undefined if it does not exist or may not be read. */
const watchFolder = (
  path: string,
  concerns: (name: string) => boolean,
  occur: () => void,
): FSWatcher | undefined => {
  try {
    const watcher = watch(path, (_, name) => {
      if (name === null || concerns(name)) occur();
    });
    return watcher.on("error", occur);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "EACCES") return undefined;
    throw error;
  }
};

const newEvent = (): { occurred: Promise<void>; occur: () => void } => {
  let occur = (): void => undefined;
  const occurred = new Promise<void>((resolve) => {
    occur = resolve;
  });
  return { occurred, occur };
};
