import { buildFunctions } from "./build.ts";
import { requireAccount, runCdk } from "./cdk.ts";
import { runCommand } from "./command.ts";
import { readConfig, requireDeployable } from "./config.ts";
import { readModelPrices } from "./model-prices.ts";
import { builtFunctions } from "./names.ts";

await runCommand(async () => {
  const config = readConfig(process.env);
  requireDeployable(config);
  const modelPrices = readModelPrices(config);
  await requireAccount("deploy");
  await buildFunctions({ outdir: builtFunctions, modelPrices });
  process.exitCode = runCdk(["deploy", "--all", ...process.argv.slice(2)]);
});
