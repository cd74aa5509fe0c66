import { once } from "node:events";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Config } from "../../config.ts";
import { readModelPrices } from "../../model-prices.ts";
import { isAlive } from "../is-alive.ts";
import { writePrivately } from "../private-file.ts";
import { StopError } from "../stop-error.ts";
import { inputHash } from "./input-hash.ts";
import type { PrepareData } from "./prepare-thread.ts";

/** What a stack runs, made from the sources. */
export type Prepared = {
  /** Directory of the cloud assembly, whose templates name the functions' bundles. */
  assembly: string;
  /** The compiled script of the functions' threads. */
  threadScript: string;
  /** Directory in which Node keeps the functions' compiled code. */
  compileCache: string;
};

const builds = join(import.meta.dirname, "../../../dist/local");
const doneFile = "prepared";

/**
 * Builds the functions and synthesizes the templates under `dist/local/`, in threads of their own so
 * that both run at once and the tools' memory is given back. Neither is done again while sources, dependencies and settings are the
 * same, whatever data folder they are for. A StopError says why it cannot be done.
 */
export const prepare = async (config: Config): Promise<Prepared> => {
  const prices = readModelPrices(config);
  // What the file of prices says counts, not where it is.
  const hash = inputHash([{ ...config, MODEL_PRICES: prices }]).slice(0, 16);
  const earlier = findBuild(hash);
  const directory = earlier ?? join(builds, `${hash}-${process.pid}-${Date.now()}`);
  const prepared = {
    assembly: join(directory, "assembly"),
    threadScript: join(directory, "function-thread.mjs"),
    compileCache: join(directory, "compile-cache"),
  };
  if (earlier === undefined) {
    removeOldBuilds();
    mkdirSync(directory, { recursive: true });
    noteUse(directory);
    await buildAndSynthesize(config, directory, prepared);
    writePrivately(join(directory, doneFile), "");
  } else {
    noteUse(directory);
  }
  return prepared;
};

/** The synthesis makes the directories that its templates name, so the bundles take their place at the end. */
const buildAndSynthesize = async (
  config: Config,
  directory: string,
  prepared: Prepared,
): Promise<void> => {
  const functions = join(directory, "functions");
  const draft = join(directory, "functions.draft");
  await Promise.all([
    inThread({ half: "build", config, functions, draft, prepared }),
    inThread({ half: "synthesize", config, functions, draft, prepared }),
  ]);
  rmSync(functions, { recursive: true, force: true });
  renameSync(draft, functions);
};

const inThread = async (workerData: PrepareData): Promise<void> => {
  const worker = new Worker(new URL("prepare-thread.ts", import.meta.url), { workerData });
  try {
    await once(worker, "message");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StopError(`The functions cannot be built or the templates synthesized: ${reason}`);
  } finally {
    await worker.terminate();
  }
};

const findBuild = (hash: string): string | undefined =>
  listBuilds().find((path) => path.startsWith(join(builds, hash)) && isDone(path));

const listBuilds = (): string[] => {
  try {
    return readdirSync(builds).map((name) => join(builds, name));
  } catch {
    return [];
  }
};

const isDone = (directory: string): boolean => {
  try {
    return readFileSync(join(directory, doneFile), "utf8") === "";
  } catch {
    return false;
  }
};

const userFile = /^used-by-(\d+)$/;
const alwaysKept = 3;

/** This process may load chunks of the build for as long as it lives. */
const noteUse = (directory: string): void => {
  writePrivately(join(directory, `used-by-${process.pid}`), "");
  utimesSync(directory, new Date(), new Date());
};

/** All but those used last, and those whose user lives. */
const removeOldBuilds = (): void => {
  const byUse = listBuilds()
    .map((path) => ({ path, used: statSync(path).mtimeMs }))
    .sort((a, b) => b.used - a.used);
  for (const { path } of byUse.slice(alwaysKept)) {
    if (!isUsed(path)) rmSync(path, { recursive: true, force: true });
  }
};

const isUsed = (directory: string): boolean =>
  readdirSync(directory).some((name) => {
    const pid = userFile.exec(name)?.[1];
    return pid !== undefined && isAlive(Number(pid));
  });
