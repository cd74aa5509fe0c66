import { basename, dirname } from "node:path";
import { build, type Plugin } from "esbuild";
import { type Chunk, ownChunk, type SharedBundle } from "./bundle-shared.ts";
import { bundling } from "./options.ts";

/** A function's files. */
export type JoinedFunction = {
  name: string;
  /** What runs at the start, or the first of several files that do. */
  index: string;
  /** Chunks that the start loads beside it. */
  startChunks: readonly string[];
  /** Chunks and packages that are loaded when they are first used. */
  lazyChunks: readonly string[];
  /** Whether it may start the sandbox's thread. */
  startsSandbox: boolean;
};

/**
 * Joins each function's shared chunks into one file, since every file costs time at a cold start. A module
 * of our own that is loaded lazily stays a file, and so does what it shares with the start: no module
 * may exist twice. Functions that keep the same files are joined in one run.
 */
export const joinChunks = async ({
  functions,
  chunks,
}: SharedBundle): Promise<JoinedFunction[]> => {
  const plans = functions.map((name) => planOf(name, chunks));
  const alike = Map.groupBy(plans, ({ kept }) =>
    [...kept]
      .filter((file) => chunks.has(file))
      .sort()
      .join(),
  );
  const joined = await Promise.all([...alike.values()].map((each) => joinAlike(each, chunks)));
  return joined.flat();
};

type Plan = { name: string; started: ReadonlySet<string>; kept: ReadonlySet<string> };

const planOf = (name: string, chunks: ReadonlyMap<string, Chunk>): Plan => {
  const started = reach([ownChunk(name)], ({ imports }) => imports, chunks);
  const lazy = [...started].flatMap((file) => chunks.get(file)?.lazyImports ?? []);
  const kept = reach(lazy, ({ imports, lazyImports }) => [...imports, ...lazyImports], chunks);
  return { name, started, kept };
};

const joinAlike = async (
  plans: readonly Plan[],
  chunks: ReadonlyMap<string, Chunk>,
): Promise<JoinedFunction[]> => {
  const { outputFiles } = await build({
    ...bundling,
    minifyWhitespace: true,
    minifyIdentifiers: true,
    entryPoints: plans.map(({ name }) => ({ in: ownChunk(name), out: `${name}/index` })),
    outdir: "functions",
    plugins: [fromMemory(plans[0]?.kept ?? new Set(), chunks)],
  });
  const codes = new Map(outputFiles.map(({ path, text }) => [basename(dirname(path)), text]));
  return plans.map(({ name, started, kept }) => ({
    name,
    index: codes.get(name) ?? "",
    startChunks: [...kept].filter((file) => started.has(file)),
    lazyChunks: [...kept].filter((file) => !started.has(file)),
    startsSandbox: [...started, ...kept].some((file) => chunks.get(file)?.startsSandbox),
  }));
};

const reach = (
  from: readonly string[],
  next: (chunk: Chunk) => readonly string[],
  chunks: ReadonlyMap<string, Chunk>,
): Set<string> => {
  const reached = new Set<string>();
  const waiting = [...from];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const chunk = chunks.get(file);
    if (chunk) waiting.push(...next(chunk));
  }
  return reached;
};

const fromMemory = (kept: ReadonlySet<string>, chunks: ReadonlyMap<string, Chunk>): Plugin => ({
  name: "chunks",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /./ }, ({ path }) => {
      const file = basename(path);
      if (kept.has(file) || !chunks.has(file)) return { path, external: true };
      return { path: file, namespace: "chunks" };
    });
    onLoad({ filter: /./, namespace: "chunks" }, ({ path }) => ({
      contents: chunks.get(path)?.code ?? "",
      loader: "js",
    }));
  },
});
