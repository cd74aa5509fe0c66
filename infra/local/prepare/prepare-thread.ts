import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import type { Config } from "../../config.ts";
import type { Prepared } from "./prepare.ts";

/** What a preparation needs: which half of it, the settings, and where the results go. */
export type PrepareData = {
  half: "build" | "synthesize";
  config: Config;
  /** Where the templates say that the bundles are. */
  functions: string;
  /** Where the build puts them. */
  draft: string;
  prepared: Prepared;
};

const { half, config, functions, draft, prepared } = z
  .custom<PrepareData>((value) => value !== undefined)
  .parse(workerData);

const build = async (): Promise<void> => {
  const [{ buildFunctions }, { readModelPrices }, { buildThreadScript }] = await Promise.all([
    import("../../build.ts"),
    import("../../model-prices.ts"),
    import("../functions/build-thread-script.ts"),
  ]);
  await Promise.all([
    buildFunctions({ outdir: draft, modelPrices: readModelPrices(config) }),
    buildThreadScript(prepared.threadScript),
  ]);
};

const synthesizeHere = async (): Promise<void> => {
  const { synthesize } = await import("../../synthesize.ts");
  await synthesize({
    outdir: prepared.assembly,
    config,
    nag: false,
    local: true,
    codeDirectory: (name) => join(functions, name),
  });
};

await (half === "build" ? build() : synthesizeHere());
parentPort?.postMessage("done");
