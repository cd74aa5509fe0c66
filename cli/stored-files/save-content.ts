import { constants, createWriteStream, existsSync } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { failed, usage } from "../exit.ts";
import { toNetworkError } from "../network-error.ts";

const waitSeconds = 300;

/** Downloads a stored file from its URL, which needs no credentials. */
const fetchContent = async (url: string): Promise<Readable> => {
  const signal = AbortSignal.timeout(waitSeconds * 1_000);
  const response = await fetch(url, { redirect: "error", signal }).catch((error: unknown) => {
    throw toNetworkError(error, new URL(url).origin, waitSeconds);
  });
  if (!response.ok) throw failed(`The storage refused the download (${response.status}).`);
  return Readable.from(response.body ?? []);
};

/** Throws for a file that exists, unless it may be replaced. */
export const requireFree = (path: string, force: boolean): void => {
  if (!force && existsSync(path)) throw usage(`${path} exists. Use --force to replace it.`);
};

/** Saves a stored file whole or not at all. */
export const saveContent = async (url: string, path: string, force: boolean): Promise<void> => {
  const part = `${path}.${process.pid}.part`;
  try {
    await pipeline(await fetchContent(url), createWriteStream(part, { flags: "wx", mode: 0o600 }));
    if (force) await rename(part, path);
    else await copyFile(part, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (isSystemError(error)) throw failed(`${path} cannot be written: ${error.code}.`);
    throw error;
  } finally {
    await rm(part, { force: true });
  }
};

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "syscall" in error;

/** Writes a stored file to a stream, such as standard output. */
export const writeContent = async (url: string, target: NodeJS.WritableStream): Promise<void> => {
  await pipeline(await fetchContent(url), target, { end: false });
};
