import { existsSync, readFileSync } from "node:fs";
import { resourceVariables } from "../../lib/platform/runtime/resource-variables.ts";
import { CommandError } from "../command.ts";
import type { Config } from "../config.ts";
import { dataFolderPaths } from "../local/data-folder.ts";
import { LocalJson } from "../local/seed.ts";
import { useLocalStack } from "../operator-environment.ts";
import { readStackOutputs } from "./stack-outputs.ts";
import { cognitoUsers, issuerUsers, localUsers, type UserDirectory } from "./users.ts";

/** A running product, whose table the environment names. */
export type Deployment = {
  /** Base URL of the API; undefined when it is unknown. */
  apiUrl: string | undefined;
  /** Where users sign in, with what it is. */
  signIn: { name: string; url: string } | undefined;
  users: UserDirectory;
};

/** Finds the deployed stacks of `STACK_PREFIX`. Throws a CommandError when they do not exist. */
export const findDeployment = async (
  config: Config,
  { subject, invitesAgain }: { subject: string | undefined; invitesAgain: boolean },
): Promise<Deployment> => {
  const { STACK_PREFIX: prefix } = config;
  const [data, api, site] = await Promise.all([
    readStackOutputs(`${prefix}-Data`),
    readStackOutputs(`${prefix}-Api`),
    readStackOutputs(`${prefix}-Console`),
  ]);
  const table = data?.get("TableName");
  if (data === undefined || table === undefined) {
    throw new CommandError(
      `The stack ${prefix}-Data does not exist or has no output TableName. Run npm run deploy, and check STACK_PREFIX, region and account; --local works on the local stack.`,
    );
  }
  process.env[resourceVariables.table] = table;
  const pool = data.get("UserPoolId");
  const claims = {
    organization: config.OIDC_ORGANIZATION_CLAIM ?? "org_id",
    role: config.OIDC_ROLE_CLAIM ?? "role",
  };
  const console = site?.get("ConsoleUrl");
  const login = data.get("LoginUrl");
  return {
    apiUrl: api?.get("PublicUrl"),
    signIn: nameOf("Console", console) ?? nameOf("Sign-in pages", login),
    users: pool === undefined ? issuerUsers(claims, subject) : cognitoUsers(pool, invitesAgain),
  };
};

const nameOf = (name: string, url: string | undefined) =>
  url === undefined ? undefined : { name, url };

/** Finds the running local stack. Throws a CommandError when none runs. */
export const findLocalDeployment = (): Deployment => {
  const { dynamodbEndpoint, table } = useLocalStack("leave out --local for a deployment");
  Object.assign(process.env, {
    [resourceVariables.table]: table,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
  });
  const { localJson } = dataFolderPaths(process.env.WHARF_DATA_DIR);
  const apiUrl = existsSync(localJson)
    ? LocalJson.parse(JSON.parse(readFileSync(localJson, "utf8"))).baseUrl
    : undefined;
  const signIn = apiUrl === undefined ? undefined : { name: "Console", url: `${apiUrl}/console/` };
  return { apiUrl, signIn, users: localUsers };
};
