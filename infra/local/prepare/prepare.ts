import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Config } from "../../config.ts";
import { modelPricesFile, readModelPrices } from "../../model-prices.ts";
import { StopError } from "../stop-error.ts";
import { assemblyHash, sourceHash } from "./input-hash.ts";
import { findOrMake } from "./kept-folders.ts";
import type { PrepareTask } from "./prepare-task.ts";

/** Artifacts of a stack, built from the sources. */
export type Prepared = {
  /** Directory of the cloud assembly, whose templates name the functions' bundles. */
  assembly: string;
  /** The compiled script of the functions' threads. */
  threadScript: string;
  /** Directory in which Node keeps the functions' compiled code. */
  compileCache: string;
};

const root = join(import.meta.dirname, "../../../dist/local");

/**
 * Builds the functions and synthesizes the templates under `dist/local/`, at the same time, in processes of their own:
 * a thread would leave its memory to this one. Functions are built once for the same sources, dependencies and Node;
 * templates are synthesized once for these and the settings. Throws a StopError if either fails.
 */
export const prepare = async (config: Config): Promise<Prepared> => {
  const prices = readModelPrices(config);
  const sources = sourceHash();
  const hash = assemblyHash(sources, { ...config, MODEL_PRICES: prices });
  const building = prepareBundles(sources);
  const synthesizing = findOrMake({ root, kind: "stack", hash }, async (directory) => {
    const [functions, assembly] = [join(directory, "functions"), join(directory, "assembly")];
    const [priced, build] = await Promise.all([
      inProcess({ task: "synthesize", functions, assembly, config }),
      building,
    ]);
    linkBundles({ bundles: build.functions, functions }, prices, priced);
  });
  const [build, stack] = await Promise.all([building, synthesizing]);
  return {
    assembly: join(stack, "assembly"),
    threadScript: build.threadScript,
    compileCache: build.compileCache,
  };
};

/**
 * Builds the functions and the script of their threads, unless that was done before for the same sources,
 * dependencies and Node. Returns where they are. Throws a StopError if the build fails.
 */
export const prepareBundles = async (sources = sourceHash()): Promise<Bundles> => {
  const directory = await findOrMake({ root, kind: "build", hash: sources }, async (made) => {
    const { functions, threadScript } = pathsIn(made);
    await inProcess({ task: "build", functions, threadScript });
  });
  return pathsIn(directory);
};

type Bundles = Pick<Prepared, "threadScript" | "compileCache"> & {
  /** Holds a directory for each function. */
  functions: string;
};

const pathsIn = (directory: string): Bundles => ({
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

const Report = z.union([z.object({ names: z.array(z.string()) }), z.object({ fault: z.string() })]);

/** Returns the names of the functions that read prices of models. */
const inProcess = async (task: PrepareTask): Promise<string[]> => {
  const child = fork(new URL("prepare-task.ts", import.meta.url), { execArgv: [] });
  const exited = once(child, "exit").then(([code]) => [{ fault: `exit with code ${code}` }]);
  child.send(task);
  const [message] = await Promise.race([once(child, "message"), exited]);
  child.kill();
  const report = Report.parse(message);
  if ("names" in report) return report.names;
  throw new StopError(
    `The functions cannot be built or the templates synthesized: ${report.fault}`,
  );
};
