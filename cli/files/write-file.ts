import { constants } from "node:fs";
import { lstat, mkdir, open } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { failed } from "../exit.ts";
import { type FolderPlace, readIfPresent, shownPath, unlessMissing } from "./folder.ts";

/** Returns an id that is part of a path. Throws for any other text of a server, which could name a file elsewhere. */
export const requireFileId = (kind: "agent" | "skill", id: string): string => {
  if (ChosenId.safeParse(id).success) return id;
  throw failed(
    `The API named the ${kind} ${JSON.stringify(id)}, which is not a valid id. Nothing was written for it.`,
  );
};

/**
 * Writes a file inside a folder, with its parents; returns whether its content changed. Throws for a path outside,
 * or through a symbolic link: what a server sends stays in the folder that the user named.
 */
export const writeIfChanged = async (
  place: FolderPlace,
  path: string,
  text: string,
): Promise<boolean> => {
  await requireInside(place, path);
  if ((await readIfPresent(path)) === text) return false;
  await mkdir(dirname(path), { recursive: true });
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  // Windows has no O_NOFOLLOW.
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0));
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  return true;
};

const requireInside = async (place: FolderPlace, path: string): Promise<void> => {
  const parts = relative(place.folder, path).split(sep);
  if (parts.includes("..")) throw failed(`${path} is outside ${place.folder}.`);
  let inside = place.folder;
  for (const part of parts) {
    inside = join(inside, part);
    const found = await lstat(inside).catch(unlessMissing);
    if (!found?.isSymbolicLink()) continue;
    throw failed(`${shownPath(place, inside)} is a symbolic link; nothing is written through it.`);
  }
};
