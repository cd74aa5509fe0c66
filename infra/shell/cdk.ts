import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CommandError } from "./command.ts";

const repository = resolve(import.meta.dirname, "../..");

/** Throws a CommandError unless the AWS SDK finds a region and credentials; `purpose` is a verb. */
export const requireAccount = async (purpose: string): Promise<void> => {
  const { config } = new DynamoDBClient({});
  await config.region().catch(() => {
    throw new CommandError(
      `Cannot ${purpose}: no AWS region. Set AWS_REGION, or a region in your profile.`,
    );
  });
  await config.credentials().catch(() => {
    throw new CommandError(
      `Cannot ${purpose}: no AWS credentials. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    );
  });
};

/** Runs the CDK command line in this terminal and returns its exit code. */
export const runCdk = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): number => {
  const cdk = resolve(repository, "node_modules/aws-cdk/bin/cdk");
  const { status } = spawnSync(process.execPath, [cdk, ...args], {
    cwd: repository,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  return status ?? 1;
};
