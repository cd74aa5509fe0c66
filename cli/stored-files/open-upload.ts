import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { usage } from "../exit.ts";
import type { Io } from "../io.ts";

/** A file of this machine to store. */
export type LocalFile = { name: string; content: Blob };

/** Opens a file of this machine, without reading it. Throws a usage error. */
export const openUpload = async (path: string, { cwd }: Pick<Io, "cwd">): Promise<LocalFile> => {
  const place = resolve(cwd, path);
  const found = await stat(place).catch(() => {
    throw usage(`${path} cannot be read.`);
  });
  if (!found.isFile()) throw usage(`${path} is not a file.`);
  if (found.size === 0) throw usage(`${path} is empty.`);
  return { name: basename(place), content: await openAsBlob(place) };
};
