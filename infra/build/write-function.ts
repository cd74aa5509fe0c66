import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JoinedFunction } from "./join-chunks.ts";

/** A function that has been built; sizes in bytes. */
export type BuiltFunction = {
  name: string;
  directory: string;
  /** What is loaded at the start. */
  startBytes: number;
  /** With what is loaded when it is first used. */
  totalBytes: number;
};

/** CommonJS in an ESM bundle asks for Node's own modules by `require`, which a module must make itself. */
const requireBanner =
  'import{createRequire as wharfRequire}from"node:module";const require=wharfRequire(import.meta.url);';

type Contents = {
  codeOf: (file: string) => string;
  /** Code of the sandbox's thread, by file name. */
  sandbox: ReadonlyMap<string, string>;
  /** Texts that go beside the code, by file name. */
  beside: Readonly<Record<string, string>>;
};

/** Writes a function's files into a directory of its own under `outdir`. */
export const writeFunction = async (
  outdir: string,
  { name, index, startChunks, lazyChunks, startsSandbox }: JoinedFunction,
  { codeOf, sandbox, beside }: Contents,
): Promise<BuiltFunction> => {
  const directory = join(outdir, name);
  await mkdir(directory, { recursive: true });
  const write = async (file: string, code: string): Promise<number> => {
    const bytes = Buffer.from(code.includes("Dynamic require of") ? requireBanner + code : code);
    await writeFile(join(directory, file), bytes);
    return bytes.length;
  };
  const chunks = (files: readonly string[]) =>
    Promise.all(files.map((file) => write(file, codeOf(file))));
  const start = sum([await write("index.mjs", index), ...(await chunks(startChunks))]);
  const threadFiles = startsSandbox ? [...sandbox] : [];
  const thread = await Promise.all(threadFiles.map(([file, code]) => write(file, code)));
  const lazy = sum([...(await chunks(lazyChunks)), ...thread]);
  for (const [file, text] of Object.entries(beside)) await writeFile(join(directory, file), text);
  await removeAllBut(
    [
      "index.mjs",
      ...startChunks,
      ...lazyChunks,
      ...threadFiles.map(([file]) => file),
      ...Object.keys(beside),
    ],
    directory,
  );
  return { name, directory, startBytes: start, totalBytes: start + lazy };
};

/** Removes from a directory what an earlier build left there. */
export const removeAllBut = async (names: readonly string[], directory: string): Promise<void> => {
  const stale = (await readdir(directory)).filter((name) => !names.includes(name));
  await Promise.all(stale.map((name) => rm(join(directory, name), { recursive: true })));
};

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
