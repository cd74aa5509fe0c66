import { readFile } from "node:fs/promises";
import { join } from "node:path";
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

/** Where to call, and as whom. */
export type Connection = {
  url: string;
  tenant: string;
  credential: Credential;
  /** Where the credential came from, in words; undefined when it was given just now. */
  source: string | undefined;
};

/** What the command line says about the address. */
export type AddressOptions = { url?: string | undefined; tenant?: string | undefined };

/** A URL and tenant, as far as options and environment name them; options win. */
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
 * Finds out where to call and as whom: options, then the environment, then the saved login, then,
 * when no credential was found, `./.wharf/local.json`. A kept credential goes only to the URL that it
 * was made for.
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
    throw usage("You are not logged in. Run wharf login, or set WHARF_TOKEN or WHARF_API_KEY.");
  }
  if (url === undefined) throw usage("Say which API to call: --url or WHARF_URL.");
  if (tenant === undefined) throw usage("Say which tenant: --tenant or WHARF_TENANT.");
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

/** What a local stack that keeps its data here says about itself. */
const localLogin = async ({ cwd }: Io): Promise<(SavedLogin & Found) | undefined> => {
  const source = ".wharf/local.json";
  const text = await readFile(join(cwd, source), "utf8").catch(() => "");
  const { data } = LocalStack.safeParse(parseJson(text));
  if (data === undefined) return undefined;
  const credential: Credential = { kind: "token", secret: data.userToken };
  return {
    ...checkLogin({ url: data.baseUrl, tenant: data.tenantSlug, credential }, source),
    source,
  };
};
