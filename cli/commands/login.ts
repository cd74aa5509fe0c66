import type { Command } from "commander";
import * as z from "zod";
import { Tenant } from "../../lib/tenancy/tenant/schemas.ts";
import { type Credential, isInTheClear, parseCredential } from "../address.ts";
import { apiClient } from "../api-client.ts";
import { ApiError } from "../api-error.ts";
import { type Connection, namedAddress } from "../connection.ts";
import { credentialsPath, readLogin, saveLogin } from "../credentials.ts";
import { endpoints } from "../endpoints.ts";
import { failed, usage } from "../exit.ts";
import type { Io } from "../io.ts";
import { GlobalOptions, optionsOf } from "../options.ts";
import { printJson, tell } from "../output.ts";
import { askSecret, canAsk, readPiped } from "../prompt.ts";

const Options = GlobalOptions.extend({ token: z.string().optional() });

const examples = `
The token is read from --token, else from standard input, else it is asked for. It is a user token
or an API key, and it is checked before it is saved. Without --url and --tenant, those of the
environment or of the last login are kept.

Examples:
  $ wharf login --url https://api.example.com --tenant acme
  $ npm run --silent token -- --role admin | wharf login --url http://127.0.0.1:8787 --tenant demo
  $ wharf login < token.txt
`;

/** Adds `wharf login`. */
export const addLogin = (program: Command, io: Io): void => {
  program
    .command("login")
    .summary("Check a token and save it.")
    .description("Check a token with one call and save it for the commands to come.")
    .option(
      "--token <token>",
      "the token; other users of this machine can see it while the tool runs",
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
  if (url === undefined) throw usage("Say which API to log in to: --url or WHARF_URL.");
  if (tenant === undefined) throw usage("Say which tenant: --tenant or WHARF_TENANT.");
  if (isInTheClear(url)) tell(io, `wharf: ${url} is not https: the token can be read on its way.`);
  const credential = await askCredential(options.token, io);
  const who = await check({ url, tenant, credential, source: undefined }, io);
  await saveLogin(path, { url, tenant, credential });
  tell(io, `Logged in to ${url}, tenant ${who}. Saved in ${path}.`);
  if (options.json) printJson(io, { url, tenant, loggedIn: true });
};

const askCredential = async (given: string | undefined, io: Io): Promise<Credential> => {
  if (given !== undefined) return parseCredential(given, "--token");
  if (canAsk(io)) return parseCredential(await askSecret(io, "Token: "), "What was typed");
  return parseCredential(await readPiped(io), "Standard input");
};

/** Reads the tenant. A credential that may not do even that is good all the same, and the tenant exists. */
const check = async (connection: Connection, io: Io): Promise<string> => {
  try {
    const tenant = Tenant.safeParse(await apiClient(connection, io)(endpoints.getTenant));
    if (!tenant.success) throw failed("The answer is not a tenant. Is the URL right?");
    return `${tenant.data.slug} (${tenant.data.displayName})`;
  } catch (error) {
    if (error instanceof ApiError && error.slug === "insufficient-scope") return connection.tenant;
    throw error;
  }
};
