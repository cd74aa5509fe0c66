import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import { sources } from "./options.ts";

const lib = resolve(import.meta.dirname, "../../lib");

/** Module that starts the sandbox's thread; functions that contain it need the thread's files next to them. */
export const sandboxStarter = "lib/platform/sandbox/start-thread.ts";

/** Bundles the script of the sandbox's thread and the module of each task; returns code by file name. */
export const bundleSandbox = async (): Promise<ReadonlyMap<string, string>> => {
  const { outputFiles } = await build({
    ...sources,
    splitting: true,
    entryPoints: [join(lib, "platform/sandbox/sandbox-worker.ts"), join(lib, "**/*-task.ts")],
    entryNames: "[name]",
    chunkNames: "sandbox-[name]-[hash]",
    outdir: "sandbox",
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
};
