import { basename, dirname } from "node:path";
import { build, type Plugin } from "esbuild";
import { builtinsFromProcess } from "./builtin-modules.ts";
import { ownChunk, type SharedBundle } from "./bundle-shared.ts";
import { bundling } from "./options.ts";

/** The code of a function, and the files that it loads on first use. */
export type JoinedFunction = {
  name: string;
  index: string;
  /** File names of lazy packages. */
  packages: readonly string[];
  /** Whether it starts the sandbox's thread. */
  startsSandbox: boolean;
};

/** Joins the chunks of each of these functions into one file, since every file costs time at a cold start. */
export const joinChunks = async (
  { chunks, sandboxStarters, packages }: SharedBundle,
  functions: readonly string[],
): Promise<JoinedFunction[]> => {
  if (functions.length === 0) return [];
  const { outputFiles, metafile } = await build({
    ...bundling,
    minifyWhitespace: true,
    minifyIdentifiers: true,
    metafile: true,
    entryPoints: functions.map((name) => ({ in: ownChunk(name), out: `${name}/index` })),
    outdir: "functions",
    plugins: [builtinsFromProcess, fromMemory(chunks)],
  });
  const toFunctionName = (path: string) => basename(dirname(path));
  const codes = new Map(outputFiles.map(({ path, text }) => [toFunctionName(path), text]));
  return Object.entries(metafile.outputs).map(([path, { imports, inputs }]) => ({
    name: toFunctionName(path),
    index: codes.get(toFunctionName(path)) ?? "",
    packages: imports
      .map((imported) => basename(imported.path))
      .filter((file) => packages.has(file)),
    startsSandbox: Object.keys(inputs).some((input) => sandboxStarters.has(stripNamespace(input))),
  }));
};

const namespace = "chunks";
/** An input is reported as `chunks:file`. */
const stripNamespace = (input: string): string => input.slice(namespace.length + 1);

const fromMemory = (chunks: ReadonlyMap<string, string>): Plugin => ({
  name: namespace,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /./ }, ({ path }) => {
      const file = basename(path);
      return chunks.has(file) ? { path: file, namespace } : { path, external: true };
    });
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: chunks.get(path) ?? "",
      loader: "js",
    }));
  },
});
