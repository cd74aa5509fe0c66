import { basename, join } from "node:path";
import * as z from "zod";
import type { FunctionRecord } from "../../functions/function-records.ts";
import type { Config } from "../../settings/config.ts";

/** The half of a preparation that a process does, and where it writes. */
export type PrepareTask =
  | {
      task: "build";
      functions: string;
      threadScript: string;
      /** Operations to build before all others. */
      first: readonly string[];
    }
  | {
      task: "synthesize";
      assembly: string;
      config: Config;
      /** Where the templates look for the bundles; gets an empty folder for each function. */
      functions: string;
    };

const Task = z.custom<PrepareTask>((value) => value !== undefined);

const build = async (
  outdir: string,
  threadScript: string,
  first: readonly string[],
): Promise<void> => {
  const [{ bundleFunctions, writeFunctions }, { buildThreadScript }, { everyFunction, product }] =
    await Promise.all([
      import("../../build/build-functions.ts"),
      import("../functions/build-thread-script.ts"),
      import("../../functions/product.ts"),
    ]);
  const [shared] = await Promise.all([bundleFunctions({}), buildThreadScript(threadScript)]);
  const isFirst = ({ handlers }: FunctionRecord): boolean =>
    handlers.some(({ file }) => first.includes(basename(file, ".ts")));
  const functions = everyFunction(product);
  const written = await writeFunctions(shared, functions.filter(isFirst), { outdir });
  process.send?.({ first: written.map(({ name }) => name) });
  await writeFunctions(
    shared,
    functions.filter((definition) => !isFirst(definition)),
    { outdir },
  );
};

const synthesizeHere = async (
  assembly: string,
  config: Config,
  functions: string,
): Promise<void> => {
  const { synthesize } = await import("../../stacks/synthesize.ts");
  await synthesize({
    outdir: assembly,
    config,
    nag: false,
    local: true,
    codeDirectory: (name) => join(functions, name),
  });
};

const run = async (task: PrepareTask): Promise<void> => {
  if (task.task === "build") await build(task.functions, task.threadScript, task.first);
  else await synthesizeHere(task.assembly, task.config, task.functions);
  const [{ everyFunction, product }, { hasPrices }] = await Promise.all([
    import("../../functions/product.ts"),
    import("../../functions/model-prices.ts"),
  ]);
  process.send?.({
    names: everyFunction(product)
      .filter(({ access }) => hasPrices(access))
      .map(({ name }) => name),
  });
};

// The process that wants the result is gone.
process.once("disconnect", () => process.exit());
process.once("message", (message) => {
  run(Task.parse(message)).catch((error: unknown) => {
    process.send?.({ fault: error instanceof Error ? error.message : String(error) });
  });
});
