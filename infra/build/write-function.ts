import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JoinedFunction } from "./join-chunks.ts";

/** A built function; sizes in bytes. */
export type BuiltFunction = {
  name: string;
  directory: string;
  /** Size of `index.mjs`, which is loaded at the start. */
  startBytes: number;
  /** Size of all files. */
  totalBytes: number;
};

/** Defines `require`, by which CommonJS in an ESM bundle loads Node's own modules; it throws for a package that is not there. */
const requireBanner =
  'const require=name=>{const found=process.getBuiltinModule(name);if(found)return found;throw Error("There is no "+name)};';

/** Writes the files of a function, code and others by file name, into a directory of its own under `outdir`. */
export const writeFunction = async (
  outdir: string,
  { name, index }: Pick<JoinedFunction, "name" | "index">,
  extraFiles: ReadonlyMap<string, string>,
): Promise<BuiltFunction> => {
  const directory = join(outdir, name);
  await mkdir(directory, { recursive: true });
  const write = async ([file, text]: readonly [string, string]): Promise<number> => {
    const bytes = Buffer.from(text.includes("Dynamic require of") ? requireBanner + text : text);
    await writeFile(join(directory, file), bytes);
    return bytes.length;
  };
  const startBytes = await write(["index.mjs", index]);
  const sizes = await Promise.all([...extraFiles].map(write));
  await removeAllBut(["index.mjs", ...extraFiles.keys()], directory);
  const totalBytes = sizes.reduce((total, size) => total + size, startBytes);
  return { name, directory, startBytes, totalBytes };
};

/** Removes everything from a directory but the named entries. */
export const removeAllBut = async (names: readonly string[], directory: string): Promise<void> => {
  const stale = (await readdir(directory)).filter((name) => !names.includes(name));
  await Promise.all(stale.map((name) => rm(join(directory, name), { recursive: true })));
};
