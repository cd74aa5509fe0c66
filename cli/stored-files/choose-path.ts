import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { trimEnd } from "../../lib/platform/runtime/trim-end.ts";
import { printable } from "../printable.ts";

/** Characters that some file systems or shells give a meaning. */
const unsafe = /[/\\:*?"<>|\ufffd]/g;
/** Names of devices on Windows. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const maxBytes = 200;

/** Returns a name for a stored file in a folder: its own, which other people chose, without what could harm. */
export const toSafeName = (name: string, id: string): string => {
  const start = printable(name)
    .replaceAll(unsafe, "_")
    .replace(/^[.\s-]+/, "");
  const safe = trimEnd(start, ". \u00a0");
  if (safe === "" || devices.test(safe)) return `file-${id}`;
  return Buffer.byteLength(safe) <= maxBytes ? safe : shorten(safe);
};

/** Shortens a name, and keeps its ending. */
const shorten = (name: string): string => {
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
  const start = Buffer.from(name).subarray(0, maxBytes - ending.length);
  // A character may be cut.
  return trimEnd(start.toString(), "\ufffd") + ending;
};

/** Returns where a download is written: the given path, or the file's own name in the given folder. */
export const choosePath = async (
  cwd: string,
  given: string | undefined,
  { id, name }: { id: string; name: string },
): Promise<string> => {
  const place = resolve(cwd, given ?? ".");
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() === true;
  return isFolder ? join(place, toSafeName(name, id)) : place;
};
