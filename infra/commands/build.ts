import { buildFunctions } from "../build/build-functions.ts";
import { readModelPrices } from "../functions/model-prices.ts";
import { readConfig } from "../settings/config.ts";
import { builtFunctions } from "../settings/names.ts";
import { runCommand } from "../shell/command.ts";

await runCommand(async () => {
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
});
