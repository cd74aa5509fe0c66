import { join } from "node:path";
import * as z from "zod";
import type { Config } from "../../config.ts";

/** The half of a preparation that a process does, and where it writes. */
export type PrepareTask =
  | { task: "build"; functions: string; threadScript: string }
  | {
      task: "synthesize";
      assembly: string;
      config: Config;
      /** Where the templates look for the bundles; gets an empty folder for each function. */
      functions: string;
    };

const Task = z.custom<PrepareTask>((value) => value !== undefined);

const build = async (functions: string, threadScript: string): Promise<void> => {
  const [{ buildFunctions }, { buildThreadScript }] = await Promise.all([
    import("../../build.ts"),
    import("../functions/build-thread-script.ts"),
  ]);
  await Promise.all([buildFunctions({ outdir: functions }), buildThreadScript(threadScript)]);
};

const synthesizeHere = async (
  assembly: string,
  config: Config,
  functions: string,
): Promise<void> => {
  const { synthesize } = await import("../../synthesize.ts");
  await synthesize({
    outdir: assembly,
    config,
    nag: false,
    local: true,
    codeDirectory: (name) => join(functions, name),
  });
};

const run = async (task: PrepareTask): Promise<void> => {
  if (task.task === "build") await build(task.functions, task.threadScript);
  else await synthesizeHere(task.assembly, task.config, task.functions);
  const { everyFunction, product } = await import("../../product.ts");
  process.send?.({
    names: everyFunction(product)
      .filter(({ access }) => access.models)
      .map(({ name }) => name),
  });
};

process.once("message", (message) => {
  run(Task.parse(message)).catch((error: unknown) => {
    process.send?.({ fault: error instanceof Error ? error.message : String(error) });
  });
});
