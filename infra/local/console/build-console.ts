import { join } from "node:path";
import { buildConsole } from "../../console/build-console.ts";
import { consoleHash } from "../prepare/input-hash.ts";
import { findOrMake } from "../prepare/kept-folders.ts";

const root = join(import.meta.dirname, "../../../dist/local");

/**
 * Builds the console under `dist/local/`, once for the same sources and dependencies. Returns its directory.
 * @param options `isInBackground`: whether other work is done first
 */
export const buildConsoleOnce = async (options: {
  signal: AbortSignal;
  isInBackground: boolean;
}): Promise<string> => {
  const kept = { root, kind: "console", hash: consoleHash() };
  const directory = await findOrMake(kept, (target) =>
    buildConsole({ outdir: join(target, "site"), ...options }),
  );
  return join(directory, "site");
};
