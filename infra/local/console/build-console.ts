import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { consoleHash } from "../prepare/input-hash.ts";
import { findOrMake } from "../prepare/kept-folders.ts";

const repository = join(import.meta.dirname, "../../..");
const root = join(repository, "dist/local");
const vite = join(repository, "node_modules/vite/bin/vite.js");

/**
 * Builds the console under `dist/local/`, once for the same sources and dependencies, in a process of low priority.
 * Returns its directory. Throws with the output of a failed build.
 */
export const buildConsole = (signal: AbortSignal): Promise<string> =>
  findOrMake({ root, kind: "console", hash: consoleHash() }, (directory) =>
    runVite(join(directory, "site"), signal),
  ).then((directory) => join(directory, "site"));

/** Builds the console into a directory. */
export const runVite = async (outDir: string, signal?: AbortSignal): Promise<void> => {
  const child = spawn(
    process.execPath,
    [vite, "build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"],
    { cwd: join(repository, "console"), stdio: ["ignore", "pipe", "pipe"], signal },
  );
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
  }
  if (signal && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The console cannot be built: ${output.join("")}`);
};
