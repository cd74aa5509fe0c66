import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { buildFunctions } from "./build/build-functions.ts";
import { readModelPrices } from "./functions/model-prices.ts";
import { everyFunction, product } from "./functions/product.ts";
import { readConfig } from "./settings/config.ts";
import { builtFunctions, deletableVariable } from "./settings/names.ts";
import { runCommand } from "./shell/command.ts";
import { synthesize } from "./stacks/synthesize.ts";

// Entry of the CDK command line, which sets the output directory.
const deletable = process.env[deletableVariable] === "true";

const isBuilt = everyFunction(product).every(({ name }) =>
  existsSync(resolve(builtFunctions, name, "index.mjs")),
);

await runCommand(async () => {
  const config = readConfig(process.env);
  // Every command of the CDK synthesizes, cdk bootstrap in a fresh clone too.
  if (!isBuilt) {
    console.error("Building the functions");
    await buildFunctions({ outdir: builtFunctions, modelPrices: readModelPrices(config) });
  }
  await synthesize({
    outdir: process.env.CDK_OUTDIR ?? "cdk.out",
    config,
    nag: !deletable,
    deletable,
  });
});
