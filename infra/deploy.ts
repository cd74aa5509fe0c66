import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { buildFunctions } from "./build.ts";
import { CommandError, runCommand } from "./command.ts";
import { readConfig, requireDeployable } from "./config.ts";
import { readModelPrices } from "./model-prices.ts";
import { builtFunctions } from "./names.ts";

const repository = resolve(import.meta.dirname, "..");

/** Throws a CommandError unless the AWS SDK finds a region and credentials. */
const requireAccount = async (): Promise<void> => {
  const { config } = new DynamoDBClient({});
  await config.region().catch(() => {
    throw new CommandError(
      "Cannot deploy: no AWS region. Set AWS_REGION, or a region in your profile.",
    );
  });
  await config.credentials().catch(() => {
    throw new CommandError(
      "Cannot deploy: no AWS credentials. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
    );
  });
};

await runCommand(async () => {
  const config = readConfig(process.env);
  requireDeployable(config);
  const modelPrices = readModelPrices(config);
  await requireAccount();
  await buildFunctions({ outdir: builtFunctions, modelPrices });
  const cdk = resolve(repository, "node_modules/aws-cdk/bin/cdk");
  const { status } = spawnSync(
    process.execPath,
    [cdk, "deploy", "--all", ...process.argv.slice(2)],
    { cwd: repository, stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
});
