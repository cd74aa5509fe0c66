import { createRequire } from "node:module";
import { basename, dirname, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { builtinsFromProcess } from "./builtin-modules.ts";
import { sources } from "./options.ts";

/** A package that is imported by `import()`. */
export type LazyPackage = {
  /** For example `@aws-sdk/client-s3`. */
  specifier: string;
  /** Path of the entry file. */
  entry: string;
};

/** Lazy packages by the file name of their bundle. */
export type LazyPackages = ReadonlyMap<string, LazyPackage>;

/** The SDK's codec for event streams, which no function uses; it is left out. */
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
 * Creates a plugin that keeps lazy packages out of the bundle, to be complete files of their own. They repeat code that
 * they share with the function. The project's own modules stay in the bundle: none may exist twice in a function.
 */
export const lazyPackages = (): { plugin: Plugin; found: LazyPackages } => {
  const found = new Map<string, LazyPackage>();
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
        found.set(file, { specifier: path, entry });
        return { path: `./${file}`, external: true };
      });
    },
  };
  return { plugin, found };
};

/**
 * Bundles the lazy packages of these file names; returns code by file name. esbuild gives a CommonJS entry only a
 * default export, so such a package is bundled behind a module that exports its members by name.
 */
export const bundlePackages = async (
  found: LazyPackages,
  files: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> => {
  const wanted = [...found].filter(([file]) => files.has(file));
  if (wanted.length === 0) return new Map();
  const { outputFiles, metafile } = await bundle(
    wanted.map(([file, { entry }]) => ({ in: entry, out: stem(file) })),
  );
  const commonJs = Object.entries(metafile.outputs).flatMap(([output, { entryPoint = "" }]) =>
    metafile.inputs[entryPoint]?.format === "cjs"
      ? [{ in: `${namedExports}:${resolve(entryPoint)}`, out: stem(output) }]
      : [],
  );
  const wrapped = commonJs.length === 0 ? [] : (await bundle(commonJs)).outputFiles;
  return new Map([...outputFiles, ...wrapped].map(({ path, text }) => [basename(path), text]));
};

const stem = (file: string): string => basename(file, ".mjs");

const bundle = (entryPoints: { in: string; out: string }[]) =>
  build({
    ...sources,
    metafile: true,
    entryPoints,
    outdir: "packages",
    plugins: [withNamedExports, withoutEventStreams, builtinsFromProcess],
  });

const namedExports = "named-exports";
const withNamedExports: Plugin = {
  name: namedExports,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^named-exports:/ }, ({ path }) => ({
      path: path.slice(`${namedExports}:`.length),
      namespace: namedExports,
    }));
    onLoad({ filter: /./, namespace: namedExports }, ({ path }) => ({
      contents: wrapCommonJs(path),
      resolveDir: dirname(path),
    }));
  },
};

const identifier = /^[A-Za-z_$][\w$]*$/;

/** Returns a module that exports a CommonJS module as Node does: its members by name, and itself as the default. */
const wrapCommonJs = (file: string): string => {
  const members = Object.keys(createRequire(file)(file)).filter(
    (name) => identifier.test(name) && name !== "default",
  );
  return [
    `const members = require(${JSON.stringify(file)});`,
    ...members.map((name, at) => `const member${at} = members[${JSON.stringify(name)}];`),
    `export { members as default${members.map((name, at) => `, member${at} as ${name}`).join("")} };`,
  ].join("\n");
};
