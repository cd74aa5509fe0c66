import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { DocumentFile } from "../../client/upload-document.ts";
import { usage } from "../exit.ts";
import type { Io } from "../io.ts";

/** A file to upload, which is read when its turn comes. */
export type NamedFile = { name: string; read: () => Promise<DocumentFile> };

/**
 * Checks the files of a command line; `-` is standard input under the given name. Reads nothing
 * yet.
 */
export const namedFiles = async (
  paths: readonly string[],
  name: string | undefined,
  io: Io,
): Promise<NamedFile[]> => {
  if (paths.filter((path) => path === "-").length > 1)
    throw usage("Standard input (-) can be given only once.");
  const hasInput = paths.includes("-");
  if (hasInput && name === undefined) throw usage("--name is required for standard input (-).");
  if (!hasInput && name !== undefined) throw usage("--name is only for standard input (-).");
  const files = await Promise.all(
    paths.map((path) => (path === "-" ? pipedFile(name ?? "", io) : fileAt(path, io))),
  );
  const names = files.map((file) => file.name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return files;
  throw usage(`Two files are named ${twice}; one would replace the other.`);
};

const fileAt = async (path: string, { cwd }: Io): Promise<NamedFile> => {
  const place = resolve(cwd, path);
  const found = await stat(place).catch(() => {
    throw usage(`${path} cannot be read.`);
  });
  if (!found.isFile()) throw usage(`${path} is not a file.`);
  return toFile(basename(place), () => readFile(place));
};

const pipedFile = (name: string, { stdin }: Io): NamedFile =>
  toFile(name, async () =>
    Buffer.concat((await stdin.toArray()).map((chunk) => Buffer.from(chunk))),
  );

/** The API knows the kind of a file by its name, else by its content. */
const toFile = (name: string, readBytes: () => Promise<Buffer<ArrayBuffer>>): NamedFile => ({
  name,
  read: async () => ({ name, type: "", content: new Blob([await readBytes()]) }),
});
