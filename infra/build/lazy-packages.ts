import { basename } from "node:path";
import { build, type Plugin } from "esbuild";
import { sources } from "./options.ts";

/** Entry file of each package that is loaded lazily, by the file name that its bundle gets. */
export type LazyPackages = ReadonlyMap<string, string>;

/**
 * The SDK loads its codec for operations that stream events when one is called. No function calls one, so
 * the codec is left out.
 */
const eventStreams = /^@smithy\/core\/event-streams$/;
const withoutEventStreams: Plugin = {
  name: "without-event-streams",
  setup: ({ onResolve }) => {
    onResolve({ filter: eventStreams }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/**
 * A package that is imported by `import()` becomes a file of its own, complete in itself. It repeats what
 * it shares with the start of the function, some of the SDK's core, so that the start stays one file.
 * Only packages: a module of our own must not exist twice in a function.
 */
export const lazyPackages = (): { plugin: Plugin; found: LazyPackages } => {
  const found = new Map<string, string>();
  const plugin: Plugin = {
    name: "lazy-packages",
    setup: (build) => {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === plugin || path.startsWith("node:")) return;
        if (eventStreams.test(path)) return { path, external: true };
        const { errors, path: entry } = await build.resolve(path, {
          kind,
          resolveDir,
          pluginData: plugin,
        });
        if (errors.length > 0) return { errors };
        const file = `${path.replaceAll(/[^A-Za-z0-9]+/g, "-").replace(/^-/, "")}.mjs`;
        found.set(file, entry);
        return { path: `./${file}`, external: true };
      });
    },
  };
  return { plugin, found };
};

/** Bundles the lazy packages; their code by file name. */
export const bundlePackages = async (found: LazyPackages): Promise<ReadonlyMap<string, string>> => {
  if (found.size === 0) return new Map();
  const { outputFiles } = await build({
    ...sources,
    entryPoints: [...found].map(([file, entry]) => ({
      in: entry,
      out: file.replace(/\.mjs$/, ""),
    })),
    outdir: "packages",
    plugins: [withoutEventStreams],
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
};
