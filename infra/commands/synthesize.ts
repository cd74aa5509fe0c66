import { buildFunctions } from "../build/build-functions.ts";
import { readModelPrices } from "../functions/model-prices.ts";
import { readConfig } from "../settings/config.ts";
import { builtFunctions } from "../settings/names.ts";
import { runCommand } from "../shell/command.ts";
import { synthesize } from "../stacks/synthesize.ts";

// `npm run synth`: build, then synthesize with all checks.
await runCommand(async () => {
  const config = readConfig(process.env);
  await buildFunctions({ outdir: builtFunctions, modelPrices: readModelPrices(config) });
  await synthesize({ outdir: "cdk.out", config, nag: true });
});
