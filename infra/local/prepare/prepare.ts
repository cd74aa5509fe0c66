import { fork } from "node:child_process";
import { cpSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { modelPricesFile, readModelPrices } from "../../functions/model-prices.ts";
import type { Config } from "../../settings/config.ts";
import { StopError } from "../stop-error.ts";
import { assemblyHash, sourceHash } from "./input-hash.ts";
import { buildKeptPath, findOrMake } from "./kept-folders.ts";
import type { PrepareTask } from "./prepare-task.ts";

/** Artifacts of a stack, built from the sources. */
export type Prepared = {
  /** Directory of the cloud assembly. Its templates name the functions' bundles. */
  assembly: string;
  /** The compiled script of the functions' threads. */
  threadScript: string;
  /** Directory in which Node keeps the functions' compiled code. */
  compileCache: string;
  /** Resolves when a function is built; `name` is that of its directory. Rejects with a StopError if the build fails. */
  built: (name: string) => Promise<void>;
  /** Resolves when all functions are built. */
  complete: Promise<void>;
};

const root = join(import.meta.dirname, "../../../dist/local");

/**
 * Builds the functions and synthesizes the templates under `dist/local/`, at the same time, in processes of their own:
 * a thread would leave its memory to this one. Functions are built once for the same sources, dependencies and Node;
 * templates are synthesized once for these and the settings. Resolves when the functions of the operations `first` are
 * built; the others follow. Throws a StopError if either fails.
 */
export const prepare = async (config: Config, first: readonly string[] = []): Promise<Prepared> => {
  const prices = readModelPrices(config);
  const sources = sourceHash();
  const hash = assemblyHash(sources, { ...config, MODEL_PRICES: prices });
  const build = prepareBundles(sources, first);
  const synthesizing = findOrMake({ root, kind: "stack", hash }, async (directory) => {
    const [functions, assembly] = [join(directory, "functions"), join(directory, "assembly")];
    const task = { task: "synthesize", functions, assembly, config } as const;
    const priced = await inProcess(task).names;
    // Functions that read prices are copied.
    if (prices !== undefined) await build.complete;
    linkBundles({ bundles: build.functions, functions }, prices, priced);
  });
  const [builtFirst, stack] = await Promise.all([build.first, synthesizing]);
  return {
    assembly: join(stack, "assembly"),
    threadScript: build.threadScript,
    compileCache: build.compileCache,
    built: (name) => (builtFirst.has(name) ? Promise.resolve() : build.complete),
    complete: build.complete,
  };
};

/**
 * Builds the functions and the script of their threads, unless that was done before for the same sources,
 * dependencies and Node. Returns where they are. `complete` rejects with a StopError if the build fails.
 */
export const prepareBundles = (
  sources = sourceHash(),
  operations: readonly string[] = [],
): Bundles => {
  const folder = { root, kind: "build", hash: sources };
  const paths = pathsIn(buildKeptPath(folder));
  const first = Promise.withResolvers<ReadonlySet<string>>();
  const { functions, threadScript } = paths;
  const complete = findOrMake(folder, async () => {
    const build = inProcess({ task: "build", functions, threadScript, first: operations });
    build.first.then((names) => first.resolve(new Set(names)), first.reject);
    await build.names;
  }).then(() => first.resolve(new Set()));
  complete.catch(first.reject);
  return { ...paths, first: first.promise, complete };
};

type Bundles = Pick<Prepared, "threadScript" | "compileCache" | "complete"> & {
  /** Holds a directory for each function. */
  functions: string;
  /** Names of the functions that were built first; none if all were there. */
  first: Promise<ReadonlySet<string>>;
};

const pathsIn = (
  directory: string,
): Pick<Bundles, "functions" | "threadScript" | "compileCache"> => ({
  functions: join(directory, "functions"),
  threadScript: join(directory, "function-thread.mjs"),
  compileCache: join(directory, "compile-cache"),
});

/**
 * Puts the bundles where the templates look for them, in place of the empty folders that the synthesis
 * made: as links, or as copies with the prices in them for the functions that read these.
 */
const linkBundles = (
  { bundles, functions }: { bundles: string; functions: string },
  prices: string | undefined,
  priced: readonly string[],
): void => {
  for (const name of readdirSync(functions)) {
    const [bundle, target] = [join(bundles, name), join(functions, name)];
    rmSync(target, { recursive: true });
    if (prices !== undefined && priced.includes(name)) {
      cpSync(bundle, target, { recursive: true });
      writeFileSync(join(target, modelPricesFile), prices);
    } else {
      symlinkSync(bundle, target);
    }
  }
};

const Report = z.union([
  z.object({ first: z.array(z.string()) }),
  z.object({ names: z.array(z.string()) }),
  z.object({ fault: z.string() }),
]);

/** The reports of a process: names of the functions built first, and at the end those that read prices of models. */
type Reports = { first: Promise<string[]>; names: Promise<string[]> };

const inProcess = (task: PrepareTask): Reports => {
  // In a process group of its own it does not get a terminal's Ctrl-C, which is for the stack to handle.
  const child = fork(new URL("prepare-task.ts", import.meta.url), { execArgv: [], detached: true });
  const [first, names] = [Promise.withResolvers<string[]>(), Promise.withResolvers<string[]>()];
  const fail = (fault: string): void => {
    const error = new StopError(
      `The functions cannot be built or the templates synthesized: ${fault}`,
    );
    first.reject(error);
    names.reject(error);
  };
  child.on("message", (message) => {
    const report = Report.parse(message);
    if ("first" in report) return first.resolve(report.first);
    if ("names" in report) names.resolve(report.names);
    else fail(report.fault);
    child.kill();
  });
  child.once("exit", (code) => fail(`exit with code ${code}`));
  // A caller that does not wait for the first functions gets their failure from the last ones.
  first.promise.catch(() => undefined);
  child.send(task);
  return { first: first.promise, names: names.promise };
};
