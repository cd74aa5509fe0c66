import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Access } from "../lib/edge/route.ts";
import { bundleSandbox } from "./build/bundle-sandbox.ts";
import { bundleShared } from "./build/bundle-shared.ts";
import { entryOf } from "./build/entry.ts";
import { joinChunks } from "./build/join-chunks.ts";
import { bundlePackages } from "./build/lazy-packages.ts";
import { type BuiltFunction, removeAllBut, writeFunction } from "./build/write-function.ts";
import { CommandError, runCommand } from "./command.ts";
import { readConfig } from "./config.ts";
import type { FunctionRecord } from "./functions.ts";
import { modelPricesFile, readModelPrices } from "./model-prices.ts";
import { builtFunctions } from "./names.ts";
import { everyFunction, product } from "./product.ts";

/** What is needed of a function to build it. */
export type BuildableFunction = Pick<FunctionRecord, "name" | "handlers"> & { access?: Access };

/** What a build needs. */
export type BuildOptions = {
  /** Gets one directory for each function; what else it holds is removed. */
  outdir: string;
  functions?: readonly BuildableFunction[];
  /** Text of the file of prices, for the functions that call models. */
  modelPrices?: string | undefined;
  /** Where the handlers' files are relative to. */
  root?: string;
};

const repository = resolve(import.meta.dirname, "..");

/**
 * Bundles every function into a directory of its own: `index.mjs` with all that runs at its start, beside
 * it what is loaded when it is first used.
 *
 * All functions are bundled at once, so that what they share is read and minified once; then each
 * function's share of it is joined into one file. Throws one error that names all missing handlers.
 */
export const buildFunctions = async ({
  outdir,
  functions = everyFunction(product),
  modelPrices,
  root = repository,
}: BuildOptions): Promise<BuiltFunction[]> => {
  const missing = functions
    .flatMap(({ handlers }) => handlers.map(({ file }) => file))
    .filter((file) => !existsSync(resolve(root, file)));
  if (missing.length > 0) throw new CommandError(`There is no handler in ${missing.join(", ")}.`);
  const shared = await bundleShared(functions.map((each) => entryOf(each, root)));
  const [joined, packages, sandbox] = await Promise.all([
    joinChunks(shared),
    bundlePackages(shared.packages),
    bundleSandbox(),
  ]);
  const codeOf = (file: string) => shared.chunks.get(file)?.code ?? packages.get(file) ?? "";
  const pricing = new Set(functions.filter(({ access }) => access?.models).map(({ name }) => name));
  const besideOf = (name: string): Record<string, string> =>
    modelPrices !== undefined && pricing.has(name) ? { [modelPricesFile]: modelPrices } : {};
  const built = await Promise.all(
    joined.map((each) =>
      writeFunction(outdir, each, { codeOf, sandbox, beside: besideOf(each.name) }),
    ),
  );
  await removeAllBut(
    functions.map(({ name }) => name),
    outdir,
  );
  return built.sort((left, right) => left.name.localeCompare(right.name));
};

const printBuild = async (): Promise<void> => {
  const started = performance.now();
  const built = await buildFunctions({
    outdir: builtFunctions,
    modelPrices: readModelPrices(readConfig(process.env)),
  });
  console.table(
    built.map(({ name, startBytes, totalBytes }) => ({
      function: name,
      "start, KB": Math.round(startBytes / 1_000),
      "total, KB": Math.round(totalBytes / 1_000),
    })),
  );
  console.log(`${built.length} functions in ${Math.round(performance.now() - started)} ms`);
};

if (import.meta.main) await runCommand(printBuild);
