import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { readJsonObject } from "../../read-json-object.ts";
import { readVariable } from "../../read-secret.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  integration: string;
  displayName: string | undefined;
  parameter: readonly string[];
  parametersFile: string | undefined;
  credentialEnv: readonly string[];
  credentialsFile: string | undefined;
  publish: boolean;
};

/** Runs `wharf integrations create`. */
export const createConfig = async (input: Input, io: Io): Promise<void> => {
  const { integration: integrationId, displayName, publish } = input;
  const parameters = await readSettings(input, io);
  const credentials = await readCredentials(input, io);
  const { client, tenant } = await openSession(input, io);
  const created = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/integration-configs", {
      params: { path: { tenant } },
      body: {
        ...{ integrationId, parameters },
        ...(displayName !== undefined && { displayName }),
        ...(Object.keys(credentials).length > 0 && { auth: { parameters: credentials } }),
      },
    }),
  );
  const { id: config } = created;
  if (!input.json) printMessage(io, `Created ${config}.`);
  if (!publish) {
    if (input.json) printJson(io, created);
    else printMessage(io, `Next: wharf integrations publish ${config}`);
    return;
  }
  const published = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/integration-configs/{config}:publish", {
      params: { path: { tenant, config } },
    }),
  );
  if (input.json) printJson(io, published);
  else printMessage(io, `Published revision ${published.publishedRevision}.`);
};

const readSettings = async (
  { parameter, parametersFile }: Input,
  io: Io,
): Promise<Record<string, unknown>> => ({
  ...(parametersFile === undefined
    ? {}
    : await readJsonObject(parametersFile, "a JSON object of settings", io)),
  ...Object.fromEntries(
    parameter.map((pair) =>
      parsePair(pair, "--parameter must be name=value, such as --parameter baseUrl=https://…"),
    ),
  ),
});

/** Reads the credentials of the file, then those of the environment. No message has a value. */
const readCredentials = async (
  { credentialEnv, credentialsFile }: Input,
  io: Io,
): Promise<Record<string, string>> => {
  const file =
    credentialsFile === undefined
      ? {}
      : await readJsonObject(credentialsFile, "a JSON object of credentials", io);
  const texts = Object.entries(file).map(([name, value]): [string, string] => {
    if (typeof value === "string") return [name, value];
    throw usage(`The credential ${JSON.stringify(name)} must be a string.`);
  });
  const variables = credentialEnv.map((pair): [string, string] => {
    const example = "--credential-env token=GITHUB_TOKEN";
    const [name, variable] = parsePair(
      pair,
      `--credential-env must be name=variable, such as ${example}.`,
    );
    return [name, readVariable(variable, io)];
  });
  return Object.fromEntries([...texts, ...variables]);
};

const parsePair = (pair: string, message: string): [name: string, value: string] => {
  const at = pair.indexOf("=");
  if (at >= 1) return [pair.slice(0, at), pair.slice(at + 1)];
  throw usage(message);
};
