import { join } from "node:path";
import { buildConsole } from "../../console/build-console.ts";
import { consoleHash } from "../prepare/input-hash.ts";
import { findOrMake } from "../prepare/kept-folders.ts";

const root = join(import.meta.dirname, "../../../dist/local");

/** Builds the console under `dist/local/`, once for the same sources and dependencies. Returns its directory. */
export const buildConsoleOnce = async (signal: AbortSignal): Promise<string> => {
  const kept = { root, kind: "console", hash: consoleHash() };
  const directory = await findOrMake(kept, (target) =>
    buildConsole({ outdir: join(target, "site"), signal, isInBackground: true }),
  );
  return join(directory, "site");
};
