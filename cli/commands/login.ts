import type { Command } from "commander";
import * as z from "zod";
import { Tenant } from "../../lib/tenancy/tenant/schemas.ts";
import { type Credential, isUnencrypted, parseCredential } from "../address.ts";
import { apiClient } from "../api-client.ts";
import { ApiError } from "../api-error.ts";
import { type Connection, namedAddress } from "../connection.ts";
import { credentialsPath, readLogin, saveLogin } from "../credentials.ts";
import { endpoints } from "../endpoints.ts";
import { failed, usage } from "../exit.ts";
import type { Io } from "../io.ts";
import { GlobalOptions, optionsOf } from "../options.ts";
import { printJson, printMessage } from "../output.ts";
import { askSecret, canAsk, readPiped } from "../prompt.ts";

const Options = GlobalOptions.extend({ token: z.string().optional() });

const examples = `
The token is a user token or an API key. It is read from --token, standard input or a prompt, and
verified before it is saved. --url and --tenant default to the environment, then to the last login.

Examples:
  $ wharf login --url https://api.example.com --tenant acme
  $ npm run --silent token -- --role admin | wharf login --url http://127.0.0.1:8787 --tenant demo
  $ wharf login < token.txt
`;

/** Adds `wharf login`. */
export const addLogin = (program: Command, io: Io): void => {
  program
    .command("login")
    .summary("Log in with a token.")
    .description("Verify a token and save it for other commands.")
    .option(
      "--token <token>",
      "the token (visible to other users of this machine while the command runs)",
    )
    .addHelpText("after", examples)
    .action((_, command: Command) => login(optionsOf(command, Options), io));
};

const login = async (options: z.output<typeof Options>, io: Io): Promise<void> => {
  const path = credentialsPath(io);
  const last = await readLogin(path).catch(() => undefined);
  const named = namedAddress(options, io);
  const url = named.url ?? last?.url;
  const tenant = named.tenant ?? last?.tenant;
  if (url === undefined) throw usage("Set the API to log in to with --url or WHARF_URL.");
  if (tenant === undefined) throw usage("Set the tenant with --tenant or WHARF_TENANT.");
  if (isUnencrypted(url)) {
    printMessage(io, `wharf: Warning: ${url} is not https, so the token is sent unencrypted.`);
  }
  const credential = await askCredential(options.token, io);
  const who = await check({ url, tenant, credential, source: undefined }, io);
  await saveLogin(path, { url, tenant, credential });
  printMessage(io, `Logged in to ${url}, tenant ${who}. Saved in ${path}.`);
  if (options.json) printJson(io, { url, tenant, loggedIn: true });
};

const askCredential = async (given: string | undefined, io: Io): Promise<Credential> => {
  if (given !== undefined) return parseCredential(given, "--token");
  if (canAsk(io)) return parseCredential(await askSecret(io, "Token: "), "The input");
  return parseCredential(await readPiped(io), "Standard input");
};

/** Verifies a credential by reading the tenant. One without the scope is valid, too, and the tenant exists. */
const check = async (connection: Connection, io: Io): Promise<string> => {
  try {
    const tenant = Tenant.safeParse(await apiClient(connection, io)(endpoints.getTenant));
    if (!tenant.success) throw failed("The response is not a tenant. Check the URL.");
    return `${tenant.data.slug} (${tenant.data.displayName})`;
  } catch (error) {
    if (error instanceof ApiError && error.slug === "insufficient-scope") return connection.tenant;
    throw error;
  }
};
