import { basename } from "node:path";
import { build, type Plugin } from "esbuild";
import { sandboxStarter } from "./bundle-sandbox.ts";
import type { Entry } from "./entry.ts";
import { type LazyPackages, lazyPackages } from "./lazy-packages.ts";
import { sources } from "./options.ts";

/** All functions, bundled together. */
export type SharedBundle = {
  /** Code by file name; a function's entry is `ownChunk(name)`. */
  chunks: ReadonlyMap<string, string>;
  /** Chunks that start the sandbox's thread. */
  sandboxStarters: ReadonlySet<string>;
  packages: LazyPackages;
};

/** Returns the file name of a function's entry chunk. */
export const ownChunk = (name: string): string => `${name}.mjs`;

const generated = "generated-entry";

/** Bundles and minifies all functions together, so that shared modules are processed once. */
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
  const starters = Object.entries(metafile.outputs).filter(([, { inputs }]) =>
    Object.keys(inputs).some((input) => input.endsWith(sandboxStarter)),
  );
  return {
    chunks: new Map(outputFiles.map(({ path, text }) => [basename(path), text])),
    sandboxStarters: new Set(starters.map(([path]) => basename(path))),
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
