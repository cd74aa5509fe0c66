import { globSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build, type Metafile } from "esbuild";
import { builtinsFromProcess } from "./builtin-modules.ts";
import { sources } from "./options.ts";

const lib = resolve(import.meta.dirname, "../../lib");

/** Module that starts the sandbox's thread; functions that contain it need the thread's files next to them. */
export const sandboxStarter = "lib/platform/sandbox/start-thread.ts";
const threadScript = "sandbox-worker.mjs";

/** Returns the code of the sandbox's thread and of the tasks that a function's code names, by file name. */
export type SandboxFiles = (functionCode: string) => ReadonlyMap<string, string>;

/** Bundles the script of the sandbox's thread and the module of each task that the functions' codes name. */
export const bundleSandbox = async (
  functionCodes: readonly string[],
  minify = true,
): Promise<SandboxFiles> => {
  if (functionCodes.length === 0) return () => new Map();
  const named = new Set(functionCodes.flatMap(tasksIn));
  const modules = globSync("**/*-task.ts", { cwd: lib }).filter((file) =>
    named.has(basename(file, ".ts")),
  );
  const { outputFiles, metafile } = await build({
    ...sources,
    minify,
    metafile: true,
    splitting: true,
    entryPoints: [
      join(lib, "platform/sandbox/sandbox-worker.ts"),
      ...modules.map((file) => join(lib, file)),
    ],
    entryNames: "[name]",
    chunkNames: "sandbox-[name]-[hash]",
    outdir: "sandbox",
    plugins: [builtinsFromProcess],
  });
  const codes = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const imports = mapImports(metafile);
  return (functionCode) => {
    const entries = [threadScript, ...tasksIn(functionCode).map((task) => `${task}.mjs`)];
    return new Map([...withImports(entries, imports)].map((file) => [file, codes.get(file) ?? ""]));
  };
};

const tasksIn = (functionCode: string): string[] =>
  [...functionCode.matchAll(/["'`]\.\/([a-z-]+-task)\.ts["'`]/g)].map(([, task = ""]) => task);

const mapImports = ({ outputs }: Metafile): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(outputs).map(([path, output]) => [
      basename(path),
      output.imports.filter(({ external }) => !external).map((imported) => basename(imported.path)),
    ]),
  );

const withImports = (
  entries: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> => {
  const found = new Set(entries);
  // A set's iteration includes what is added meanwhile.
  for (const file of found) for (const imported of imports.get(file) ?? []) found.add(imported);
  return found;
};
