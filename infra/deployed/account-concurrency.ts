import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import type { Config } from "../settings/config.ts";
import { leastAccountConcurrency } from "../settings/settings.ts";
import { CommandError } from "../shell/command.ts";

/** Flag of `npm run deploy` that deploys although the account's quota is below `ACCOUNT_CONCURRENCY`. */
export const ignoreQuotaFlag = "--ignore-quota";

const quotaCode = "L-B99A9384";

type Account = { region: string; quota: number };

/** Reads the quota of concurrent functions in the region of the credentials. Throws what AWS and its SDK throw. */
const readAccount = async (): Promise<Account> => {
  const client = new LambdaClient({});
  try {
    const region = await client.config.region();
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    const quota = AccountLimit?.ConcurrentExecutions;
    if (quota === undefined) throw new Error("The response has no ConcurrentExecutions.");
    return { region, quota };
  } finally {
    client.destroy();
  }
};

/** Returns what to do about a quota below the setting; undefined when it is enough. */
const describeShortfall = (
  { region, quota }: Account,
  { ACCOUNT_CONCURRENCY: wanted }: Config,
): string | undefined => {
  if (quota >= wanted) return undefined;
  const setting =
    quota < leastAccountConcurrency
      ? `Either deploy without reserved concurrency, ACCOUNT_CONCURRENCY=${leastAccountConcurrency} npm run deploy -- ${ignoreQuotaFlag}, or:`
      : `Either set ACCOUNT_CONCURRENCY=${quota}, or:`;
  return [
    `The account may run ${quota} Lambda functions at a time in ${region}; ACCOUNT_CONCURRENCY is ${wanted}.`,
    setting,
    `Ask for a higher quota in the console: Service Quotas, AWS services, AWS Lambda, Concurrent executions (${quotaCode}), Request increase at account level.`,
    "Or with the AWS CLI:",
    `  aws service-quotas request-service-quota-increase --service-code lambda --quota-code ${quotaCode} --desired-value ${wanted} --region ${region}`,
  ].join("\n");
};

/**
 * Requires a quota of concurrent functions of at least `ACCOUNT_CONCURRENCY`. Warns when the account does not report its
 * quota, and about a lower one that is ignored. Throws a CommandError.
 */
export const requireConcurrency = async (
  config: Config,
  { ignoresQuota }: { ignoresQuota: boolean },
): Promise<void> => {
  const account = await readAccount().catch((error: unknown) => {
    console.warn(
      `Warning: cannot read the account's quota of concurrent Lambda functions, which must be at least ACCOUNT_CONCURRENCY, ${config.ACCOUNT_CONCURRENCY} (lambda:GetAccountSettings: ${String(error)}).`,
    );
  });
  const shortfall = account && describeShortfall(account, config);
  if (shortfall === undefined) return;
  if (!ignoresQuota) {
    throw new CommandError(
      `${shortfall}\nNothing was deployed. ${ignoreQuotaFlag} deploys all the same: npm run deploy -- ${ignoreQuotaFlag}`,
    );
  }
  console.warn(`Warning: ${shortfall}`);
};
