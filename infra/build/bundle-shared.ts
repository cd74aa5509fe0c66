import { basename } from "node:path";
import { build, type Plugin } from "esbuild";
import { sandboxStarter } from "./bundle-sandbox.ts";
import type { Entry } from "./entry.ts";
import { type LazyPackages, lazyPackages } from "./lazy-packages.ts";
import { sources } from "./options.ts";

/** A chunk that several functions may share: its code, and what it loads, by file name. */
export type Chunk = {
  code: string;
  /** Chunks that are loaded with it. */
  imports: readonly string[];
  /** Chunks and lazy packages that are loaded when they are first used. */
  lazyImports: readonly string[];
  /** Whether it starts the sandbox's thread. */
  startsSandbox: boolean;
};

/** All functions, bundled together: chunks by file name; a function's own is `<function>.mjs`. */
export type SharedBundle = {
  functions: readonly string[];
  chunks: ReadonlyMap<string, Chunk>;
  /** Entry files of the packages that are loaded lazily, by the chunk's name that they shall have. */
  packages: LazyPackages;
};

/** File of a function's own chunk. */
export const ownChunk = (name: string): string => `${name}.mjs`;

const generated = "generated-entry";

/** Bundles and minifies all functions at once, each module into one chunk however many functions use it. */
export const bundleShared = async (entries: readonly Entry[]): Promise<SharedBundle> => {
  const lazy = lazyPackages();
  const { outputFiles, metafile } = await build({
    ...sources,
    metafile: true,
    splitting: true,
    entryPoints: entries.map((entry) => ({
      in: "file" in entry ? entry.file : `${generated}:${entry.name}`,
      out: entry.name,
    })),
    outdir: "chunks",
    plugins: [generatedEntries(entries), lazy.plugin],
  });
  const codes = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const isOurs = (file: string) => codes.has(file) || lazy.found.has(file);
  const chunks = Object.entries(metafile.outputs).map(
    ([path, { imports, inputs }]): [string, Chunk] => {
      const files = (isLazy: boolean) =>
        imports
          .filter(({ kind }) => (kind === "dynamic-import") === isLazy)
          .map((each) => basename(each.path))
          .filter(isOurs);
      const code = codes.get(basename(path)) ?? "";
      const startsSandbox = Object.keys(inputs).some((input) => input.endsWith(sandboxStarter));
      const lists = { imports: files(false), lazyImports: files(true) };
      return [basename(path), { code, ...lists, startsSandbox }];
    },
  );
  return {
    functions: entries.map(({ name }) => name),
    chunks: new Map(chunks),
    packages: lazy.found,
  };
};

const generatedEntries = (entries: readonly Entry[]): Plugin => ({
  name: generated,
  setup: ({ onResolve, onLoad }) => {
    const prefix = `${generated}:`;
    onResolve({ filter: new RegExp(`^${prefix}`) }, ({ path }) => ({
      path: path.slice(prefix.length),
      namespace: generated,
    }));
    onLoad({ filter: /./, namespace: generated }, ({ path }) => {
      const entry = entries.find(({ name }) => name === path);
      return entry && "source" in entry ? { contents: entry.source, resolveDir: "/" } : undefined;
    });
  },
});
