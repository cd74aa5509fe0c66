import { existsSync, readFileSync } from "node:fs";
import { readStackOutputs } from "../deployed/stack-outputs.ts";
import { useDeployedTable, useLocalTable } from "../deployed/table.ts";
import { dataFolderPaths } from "../local/data-folder.ts";
import { LocalJson } from "../local/seed.ts";
import type { Config } from "../settings/config.ts";
import { cognitoUsers, issuerUsers, localUsers, type UserDirectory } from "./users.ts";

/** A running deployment; the environment names its table. */
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
    useDeployedTable(prefix),
    readStackOutputs(`${prefix}-Api`),
    readStackOutputs(`${prefix}-Console`),
  ]);
  const pool = data.get("UserPoolId");
  const claims = {
    organization: config.OIDC_ORGANIZATION_CLAIM ?? "org_id",
    role: config.OIDC_ROLE_CLAIM ?? "role",
  };
  const console = site?.get("ConsoleUrl");
  const login = data.get("LoginUrl");
  return {
    apiUrl: api?.get("PublicUrl"),
    signIn: toNamedUrl("Console", console) ?? toNamedUrl("Sign-in pages", login),
    users: pool === undefined ? issuerUsers(claims, subject) : cognitoUsers(pool, invitesAgain),
  };
};

const toNamedUrl = (name: string, url: string | undefined) =>
  url === undefined ? undefined : { name, url };

/** Finds the running local stack. Throws a CommandError when none runs. */
export const findLocalDeployment = (): Deployment => {
  useLocalTable();
  const { localJson } = dataFolderPaths(process.env.WHARF_DATA_DIR);
  const apiUrl = existsSync(localJson)
    ? LocalJson.parse(JSON.parse(readFileSync(localJson, "utf8"))).baseUrl
    : undefined;
  const signIn = apiUrl === undefined ? undefined : { name: "Console", url: `${apiUrl}/console/` };
  return { apiUrl, signIn, users: localUsers };
};
