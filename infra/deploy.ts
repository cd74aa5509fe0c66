import { readStackOutputs } from "./bootstrap/stack-outputs.ts";
import { buildFunctions } from "./build.ts";
import { buildConsole, builtConsole } from "./build-console.ts";
import { requireAccount, runCdk } from "./cdk.ts";
import { runCommand } from "./command.ts";
import { type Config, readConfig, requireDeployable } from "./config.ts";
import { readModelPrices } from "./model-prices.ts";
import { builtFunctions, stackName } from "./names.ts";
import { consoleUrlOf } from "./public-url.ts";
import { uploadConsole } from "./upload-console.ts";

/** Deploys stacks with this command's arguments; returns whether it succeeded. */
const deploy = (stacks: readonly string[], consoleUrl: string | undefined): boolean => {
  const status = runCdk(
    ["deploy", ...stacks, ...process.argv.slice(2)],
    consoleUrl === undefined ? {} : { CONSOLE_URL: consoleUrl },
  );
  process.exitCode = status;
  return status === 0;
};

/** Returns the address of the deployed console, unless the settings declare it. */
const deployedConsoleUrl = async (config: Config): Promise<string | undefined> => {
  if (consoleUrlOf(config) !== undefined) return undefined;
  return (await readStackOutputs(stackName(config.STACK_PREFIX, "Console")))?.get("ConsoleUrl");
};

/** Uploads the built console to the bucket of its stack, unless that was not among the deployed ones. */
const deployConsole = async (config: Config): Promise<void> => {
  const outputs = await readStackOutputs(stackName(config.STACK_PREFIX, "Console"));
  const [bucket, content] = [outputs?.get("ConsoleBucket"), outputs?.get("ConsoleConfig")];
  if (bucket !== undefined && content !== undefined) {
    await uploadConsole({ bucket, config: content });
  }
};

await runCommand(async () => {
  const config = readConfig(process.env);
  requireDeployable(config);
  const modelPrices = readModelPrices(config);
  await requireAccount("deploy");
  await Promise.all([
    buildFunctions({ outdir: builtFunctions, modelPrices }),
    buildConsole({ outdir: builtConsole }),
  ]);
  const known = await deployedConsoleUrl(config);
  if (!deploy(["--all"], known)) return;
  await deployConsole(config);
  // Its users return to the console, and the API behind it gives out addresses of it: these are known only after its
  // first deployment.
  const created = await deployedConsoleUrl(config);
  const { STACK_PREFIX: prefix } = config;
  if (created !== known) deploy([`${prefix}-Data`, `${prefix}-Api`, "--exclusively"], created);
});
