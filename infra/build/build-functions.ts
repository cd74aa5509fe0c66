import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Access } from "../../lib/edge/route.ts";
import type { FunctionRecord } from "../functions/function-records.ts";
import { hasPrices, modelPricesFile } from "../functions/model-prices.ts";
import { everyFunction, product } from "../functions/product.ts";
import { CommandError } from "../shell/command.ts";
import { bundleSandbox } from "./bundle-sandbox.ts";
import { bundleShared, type SharedBundle } from "./bundle-shared.ts";
import { buildEntry } from "./entry.ts";
import { type JoinedFunction, joinChunks } from "./join-chunks.ts";
import { bundlePackages } from "./lazy-packages.ts";
import { type BuiltFunction, removeAllBut, writeFunction } from "./write-function.ts";

/** The members of a function's record that a build reads. */
export type BuildableFunction = Pick<FunctionRecord, "name" | "handlers"> & { access?: Access };

/** Input of a build. */
export type BuildOptions = {
  /** Receives one directory for each function; anything else in it is removed. */
  outdir: string;
  functions?: readonly BuildableFunction[];
  /** Text of the price file, for the functions that call models. */
  modelPrices?: string | undefined;
  /** Folder that the handlers' paths are relative to. */
  root?: string;
};

const repository = resolve(import.meta.dirname, "../..");

/**
 * Bundles every function into a directory of its own: all its code in `index.mjs`, next to it the packages that it
 * loads on first use. Throws one error that names all missing handlers. docs/internals/build.md explains the steps.
 */
export const buildFunctions = async (options: BuildOptions): Promise<BuiltFunction[]> => {
  const { outdir, functions = everyFunction(product) } = options;
  const built = await writeFunctions(await bundleFunctions(options), functions, options);
  await removeAllBut(
    functions.map(({ name }) => name),
    outdir,
  );
  return built.sort((left, right) => left.name.localeCompare(right.name));
};

/** Bundles the code that functions share. Throws one error that names all missing handlers. */
export const bundleFunctions = async ({
  functions = everyFunction(product),
  root = repository,
}: Pick<BuildOptions, "functions" | "root">): Promise<SharedBundle> => {
  const missing = functions
    .flatMap(({ handlers }) => handlers.map(({ file }) => file))
    .filter((file) => !existsSync(resolve(root, file)));
  if (missing.length > 0) throw new CommandError(`There is no handler in ${missing.join(", ")}.`);
  return bundleShared(functions.map((definition) => buildEntry(definition, root)));
};

/** Writes some of the bundled functions to their directories under `outdir`. */
export const writeFunctions = async (
  shared: SharedBundle,
  functions: readonly BuildableFunction[],
  { outdir, modelPrices }: Pick<BuildOptions, "outdir" | "modelPrices">,
): Promise<BuiltFunction[]> => {
  const joined = await joinChunks(
    shared,
    functions.map(({ name }) => name),
  );
  const [packages, sandboxFiles] = await Promise.all([
    bundlePackages(shared.packages, new Set(joined.flatMap((entry) => entry.packages))),
    bundleSandbox(joined.filter(({ startsSandbox }) => startsSandbox).map(({ index }) => index)),
  ]);
  const pricing = new Set(
    functions.filter(({ access }) => hasPrices(access)).map(({ name }) => name),
  );
  const selectExtraFiles = ({ name, index, packages: used, startsSandbox }: JoinedFunction) =>
    new Map([
      ...[...packages].filter(([file]) => used.includes(file)),
      ...(startsSandbox ? sandboxFiles(index) : []),
      ...(modelPrices !== undefined && pricing.has(name)
        ? [[modelPricesFile, modelPrices] as const]
        : []),
    ]);
  return Promise.all(joined.map((entry) => writeFunction(outdir, entry, selectExtraFiles(entry))));
};
