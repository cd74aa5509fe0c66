import { bodyOf } from "../../../client/client.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import { type Credential, isUnencrypted, parseCredential } from "../../address.ts";
import type { GlobalInput } from "../../command.ts";
import { type Connection, namedAddress } from "../../connection.ts";
import { credentialsPath, readLogin, saveLogin } from "../../credentials.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { askSecret, canAsk, readPiped } from "../../prompt.ts";
import { sessionOf } from "../../session.ts";

type Input = GlobalInput & { token: string | undefined };

/** Runs `wharf login`. */
export const login = async (options: Input, io: Io): Promise<void> => {
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
  const { client, tenant } = sessionOf(connection, io);
  try {
    const { slug, displayName } = await bodyOf(
      client.GET("/v1/tenants/{tenant}", { params: { path: { tenant } } }),
    );
    return `${slug} (${displayName})`;
  } catch (error) {
    if (error instanceof ProblemError && error.slug === "insufficient-scope") return tenant;
    throw error;
  }
};
