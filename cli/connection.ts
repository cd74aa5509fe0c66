import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import {
  type Credential,
  parseApiKey,
  parseBaseUrl,
  parseCredential,
  parseTenant,
} from "./address.ts";
import { checkLogin, credentialsPath, readLogin, type SavedLogin } from "./credentials.ts";
import { usage } from "./exit.ts";
import type { Io } from "./io.ts";
import { parseJson } from "./parse-json.ts";

/** API, tenant and credential of a command. */
export type Connection = {
  url: string;
  tenant: string;
  credential: Credential;
  /** Origin of the credential for messages; undefined if it was just entered. */
  source: string | undefined;
};

/** Options for the API and tenant. */
export type AddressOptions = { url?: string | undefined; tenant?: string | undefined };

/** Reads the URL and tenant from options, then from the environment. */
export const namedAddress = (options: AddressOptions, { env }: Pick<Io, "env">): AddressOptions => {
  const read = (
    option: { name: string; value: string | undefined },
    variable: string,
    parse: (text: string, source: string) => string,
  ): string | undefined => {
    if (option.value !== undefined) return parse(option.value, option.name);
    const value = env[variable] ?? "";
    return value === "" ? undefined : parse(value, variable);
  };
  return {
    url: read({ name: "--url", value: options.url }, "WHARF_URL", parseBaseUrl),
    tenant: read({ name: "--tenant", value: options.tenant }, "WHARF_TENANT", parseTenant),
  };
};

/**
 * Resolves the connection from options, the environment, the saved login, or else `local.json` of a local stack. A
 * saved credential is only sent to the URL that it was saved for.
 */
export const resolveConnection = async (options: AddressOptions, io: Io): Promise<Connection> => {
  const named = namedAddress(options, io);
  const own = ownCredential(io);
  if (own !== undefined && named.url !== undefined && named.tenant !== undefined) {
    return { url: named.url, tenant: named.tenant, ...own };
  }
  const kept = (await savedLogin(io)) ?? (own === undefined ? await localLogin(io) : undefined);
  const url = named.url ?? kept?.url;
  const tenant = named.tenant ?? kept?.tenant;
  const found = own ?? kept;
  if (found === undefined) {
    throw usage(
      "You are not logged in. Run wharf login, or set WHARF_TOKEN or WHARF_API_KEY. " +
        `No local product runs here either: there is no ${resolve(io.cwd, localJsonPath(io))} (WHARF_DATA_DIR names another folder).`,
    );
  }
  if (url === undefined) throw usage("Set the API to call with --url or WHARF_URL.");
  if (tenant === undefined) throw usage("Set the tenant with --tenant or WHARF_TENANT.");
  if (own === undefined && kept !== undefined && url !== kept.url) {
    throw usage(
      `The credentials from ${kept.source} are for ${kept.url}, so they are not sent to ${url}. ` +
        "Log in there, or set WHARF_TOKEN or WHARF_API_KEY.",
    );
  }
  return { url, tenant, credential: found.credential, source: found.source };
};

type Found = { credential: Credential; source: string };

const ownCredential = ({ env }: Io): Found | undefined => {
  const token = env.WHARF_TOKEN ?? "";
  const apiKey = env.WHARF_API_KEY ?? "";
  if (token !== "" && apiKey !== "") throw usage("Set WHARF_TOKEN or WHARF_API_KEY, not both.");
  if (token !== "") {
    return { credential: parseCredential(token, "WHARF_TOKEN"), source: "WHARF_TOKEN" };
  }
  if (apiKey !== "") {
    return { credential: parseApiKey(apiKey, "WHARF_API_KEY"), source: "WHARF_API_KEY" };
  }
  return undefined;
};

const savedLogin = async (io: Io): Promise<(SavedLogin & Found) | undefined> => {
  const path = credentialsPath(io);
  const login = await readLogin(path);
  return login && { ...login, source: path };
};

const LocalStack = z.object({ baseUrl: z.string(), tenantSlug: z.string(), userToken: z.string() });

/** Returns the path of `local.json` in the data folder, as `npm start` chooses it. */
const localJsonPath = ({ env }: Pick<Io, "env">): string =>
  join(env.WHARF_DATA_DIR || ".wharf", "local.json");

/** Reads the login of a local stack. */
const localLogin = async (io: Io): Promise<(SavedLogin & Found) | undefined> => {
  const source = localJsonPath(io);
  const text = await readFile(resolve(io.cwd, source), "utf8").catch(() => "");
  const { data } = LocalStack.safeParse(parseJson(text));
  if (data === undefined) return undefined;
  const credential: Credential = { kind: "token", secret: data.userToken };
  return {
    ...checkLogin({ url: data.baseUrl, tenant: data.tenantSlug, credential }, source),
    source,
  };
};
