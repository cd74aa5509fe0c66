import { basename, resolve } from "node:path";
import { build } from "esbuild";
import { sources } from "./options.ts";

const folder = resolve(import.meta.dirname, "../../lib/platform/sandbox");
const script = "sandbox-worker";

/** The module that starts the sandbox's thread: what has it in its bundle needs the thread's files beside it. */
export const sandboxStarter = "lib/platform/sandbox/start-thread.ts";

/** Bundles the script of the sandbox's thread, each task's modules in chunks of their own; code by file name. */
export const bundleSandbox = async (): Promise<ReadonlyMap<string, string>> => {
  const { outputFiles } = await build({
    ...sources,
    splitting: true,
    entryPoints: [{ in: resolve(folder, "worker.ts"), out: script }],
    chunkNames: "sandbox-[name]-[hash]",
    outdir: "sandbox",
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
};
