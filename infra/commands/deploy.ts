import { buildFunctions } from "../build/build-functions.ts";
import { buildConsole, builtConsole } from "../console/build-console.ts";
import { uploadConsole } from "../console/upload-console.ts";
import { ignoreQuotaFlag, requireConcurrency } from "../deployed/account-concurrency.ts";
import { runRollback } from "../deployed/run-rollback.ts";
import { readStackOutputs, type StackOutputs } from "../deployed/stack-outputs.ts";
import { requireVectorService } from "../deployed/vector-service.ts";
import { readModelPrices } from "../functions/model-prices.ts";
import { type Config, readConfig, requireDeployable } from "../settings/config.ts";
import { builtFunctions, stackName } from "../settings/names.ts";
import { deriveConsoleUrl } from "../settings/public-url.ts";
import { requireAccount, runCdk } from "../shell/cdk.ts";
import { CommandError, runCommand } from "../shell/command.ts";

type Options = { ignoresQuota: boolean; rollbackTo: string | undefined; cdkArgs: string[] };

const rollbackFlag = "--rollback-to";

/** Reads the command's own options; all other arguments are the CDK's. */
export const readOptions = (args: readonly string[]): Options => {
  const at = args.indexOf(rollbackFlag);
  const rollbackTo = at === -1 ? undefined : args[at + 1];
  if (at !== -1 && (rollbackTo === undefined || rollbackTo.startsWith("-"))) {
    throw new CommandError(
      `${rollbackFlag} needs a commit: npm run deploy -- ${rollbackFlag} COMMIT`,
    );
  }
  const others = at === -1 ? args : [...args.slice(0, at), ...args.slice(at + 2)];
  return {
    ignoresQuota: others.includes(ignoreQuotaFlag),
    rollbackTo,
    cdkArgs: others.filter((other) => other !== ignoreQuotaFlag),
  };
};

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
    const { ignoresQuota, rollbackTo, cdkArgs } = readOptions(process.argv.slice(2));
    requireDeployable(config);
    const modelPrices = readModelPrices(config);
    await requireAccount("deploy");
    const { STACK_PREFIX: prefix } = config;
    const consoleStack = stackName(prefix, "Console");
    const readConsoleUrl = async () =>
      deployedConsoleUrl(config, await readStackOutputs(consoleStack));
    if (rollbackTo !== undefined) {
      const consoleUrl = await readConsoleUrl();
      return runRollback(config, { commit: rollbackTo, consoleUrl, cdkArgs });
    }
    await requireConcurrency(config, { ignoresQuota });
    await requireVectorService();
    await Promise.all([
      buildFunctions({ outdir: builtFunctions, modelPrices }),
      ...(config.CONSOLE_STACK ? [buildConsole({ outdir: builtConsole })] : []),
    ]);
    const before = await readConsoleUrl();
    if (!deploy(["--all", ...cdkArgs], before)) return;
    const outputs = await readStackOutputs(consoleStack);
    await deployConsole(outputs);
    const after = deployedConsoleUrl(config, outputs);
    const redeployment = planRedeployment(prefix, { before, after });
    if (redeployment !== undefined) deploy([...redeployment, ...cdkArgs], after);
  });
}
