import { buildFunctions } from "../build/build-functions.ts";
import { buildConsole, builtConsole } from "../console/build-console.ts";
import { uploadConsole } from "../console/upload-console.ts";
import { ignoreQuotaFlag, requireConcurrency } from "../deployed/account-concurrency.ts";
import { readStackOutputs, type StackOutputs } from "../deployed/stack-outputs.ts";
import { readModelPrices } from "../functions/model-prices.ts";
import { type Config, readConfig, requireDeployable } from "../settings/config.ts";
import { builtFunctions, stackName } from "../settings/names.ts";
import { deriveConsoleUrl } from "../settings/public-url.ts";
import { requireAccount, runCdk } from "../shell/cdk.ts";
import { runCommand } from "../shell/command.ts";

type Options = { ignoresQuota: boolean; cdkArgs: string[] };

/** Reads the command's own flag; all other arguments are the CDK's. */
export const readOptions = (args: readonly string[]): Options => ({
  ignoresQuota: args.includes(ignoreQuotaFlag),
  cdkArgs: args.filter((each) => each !== ignoreQuotaFlag),
});

/** Returns the address of the console of deployed stacks, unless the settings declare it. */
export const deployedConsoleUrl = (
  config: Config,
  outputs: StackOutputs | undefined,
): string | undefined =>
  deriveConsoleUrl(config) === undefined ? outputs?.get("ConsoleUrl") : undefined;

/**
 * Returns the arguments of the deployment that follows the first one: users return to the console, and the API behind it
 * gives out addresses of it, which exist only then. Undefined when the stacks were deployed with the console's address.
 */
export const planRedeployment = (
  prefix: string,
  { before, after }: { before: string | undefined; after: string | undefined },
): string[] | undefined =>
  after === undefined || after === before
    ? undefined
    : [stackName(prefix, "Data"), stackName(prefix, "Api"), "--exclusively"];

/** Deploys stacks; returns whether it succeeded. */
const deploy = (args: readonly string[], consoleUrl: string | undefined): boolean => {
  const status = runCdk(
    ["deploy", ...args],
    consoleUrl === undefined ? {} : { CONSOLE_URL: consoleUrl },
  );
  process.exitCode = status;
  return status === 0;
};

/** Uploads the built console to the bucket of its stack, unless that was not among the deployed ones. */
const deployConsole = async (outputs: StackOutputs | undefined): Promise<void> => {
  const [bucket, content] = [outputs?.get("ConsoleBucket"), outputs?.get("ConsoleConfig")];
  if (bucket !== undefined && content !== undefined) {
    await uploadConsole({ bucket, config: content });
  }
};

if (import.meta.main) {
  await runCommand(async () => {
    const config = readConfig(process.env);
    const { ignoresQuota, cdkArgs } = readOptions(process.argv.slice(2));
    requireDeployable(config);
    const modelPrices = readModelPrices(config);
    await requireAccount("deploy");
    await requireConcurrency(config, { ignoresQuota });
    await Promise.all([
      buildFunctions({ outdir: builtFunctions, modelPrices }),
      buildConsole({ outdir: builtConsole }),
    ]);
    const { STACK_PREFIX: prefix } = config;
    const consoleStack = stackName(prefix, "Console");
    const before = deployedConsoleUrl(config, await readStackOutputs(consoleStack));
    if (!deploy(["--all", ...cdkArgs], before)) return;
    const outputs = await readStackOutputs(consoleStack);
    await deployConsole(outputs);
    const after = deployedConsoleUrl(config, outputs);
    const redeployment = planRedeployment(prefix, { before, after });
    if (redeployment !== undefined) deploy([...redeployment, ...cdkArgs], after);
  });
}
