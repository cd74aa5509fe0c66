import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isLoopback } from "../lib/platform/http/is-loopback.ts";
import {
  type Credential,
  parseApiKey,
  parseBaseUrl,
  parseCredential,
  parseTenant,
} from "./address.ts";
import { credentialsPath, readLogins, saveLogin } from "./credentials.ts";
import { usage } from "./exit.ts";
import type { Io } from "./io.ts";
import { parseJson } from "./parse-json.ts";
import { type Renewal, renewToken } from "./sign-in/tokens.ts";

/** API, tenant and credential of a command. */
export type Connection = {
  url: string;
  tenant: string;
  credential: Credential;
  /** Origin of the credential for messages; undefined if it was just entered. */
  source: string | undefined;
  /** Expiry of the credential, Unix milliseconds; null if it is not known. */
  expiresAt: number | null;
  /** Whether it is that of `local.json`. */
  isLocal?: boolean;
  /** Renews the credential and saves it; undefined when the sign-in has ended. */
  renew?: (() => Promise<Credential | undefined>) | undefined;
};

/** Options for the API, tenant and saved login. */
export type AddressOptions = {
  url?: string | undefined;
  tenant?: string | undefined;
  profile?: string | undefined;
};

/** Reads the URL, tenant and profile from options, then from the environment. */
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
    profile: read({ name: "--profile", value: options.profile }, "WHARF_PROFILE", parseProfile),
  };
};

const parseProfile = (text: string, source: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw usage(`${source} must be a name of letters, digits, dots, dashes and underscores.`);
};

/**
 * Resolves the connection from options, the environment, the saved login, or else `local.json` of a local stack. A
 * saved credential is only sent to the URL that it was saved for. An API key of the environment is sent to the URL of
 * `local.json` only on this machine, and a user token never: the file may be part of a checkout by others.
 */
export const resolveConnection = async (options: AddressOptions, io: Io): Promise<Connection> => {
  const named = namedAddress(options, io);
  const own = ownCredential(io);
  if (own !== undefined && named.url !== undefined && named.tenant !== undefined) {
    return { url: named.url, tenant: named.tenant, ...own };
  }
  const mayBeLocal = own === undefined || own.credential.kind === "api-key";
  const kept =
    (await savedLogin(io, named.profile)) ?? (mayBeLocal ? await localLogin(io) : undefined);
  if (own !== undefined && kept?.isLocal && named.url === undefined) requireThisMachine(kept);
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
  return { ...found, url, tenant };
};

const requireThisMachine = ({ url, source }: Connection): void => {
  if (isLoopback(new URL(url))) return;
  throw usage(`${source} names ${url}, which is not on this machine. Set --url or WHARF_URL.`);
};

type Found = Pick<Connection, "credential" | "source" | "expiresAt" | "renew">;

const ownCredential = ({ env }: Io): Found | undefined => {
  const token = env.WHARF_TOKEN ?? "";
  const apiKey = env.WHARF_API_KEY ?? "";
  if (token !== "" && apiKey !== "") throw usage("Set WHARF_TOKEN or WHARF_API_KEY, not both.");
  const expiresAt = null;
  if (token !== "") {
    return { credential: parseCredential(token, "WHARF_TOKEN"), source: "WHARF_TOKEN", expiresAt };
  }
  if (apiKey !== "") {
    const credential = parseApiKey(apiKey, "WHARF_API_KEY");
    return { credential, source: "WHARF_API_KEY", expiresAt };
  }
  return undefined;
};

const savedLogin = async (io: Io, profile: string | undefined): Promise<Connection | undefined> => {
  const path = credentialsPath(io);
  const { current, profiles } = await readLogins(path);
  const name = profile ?? current;
  const login = profiles[name];
  if (login === undefined) {
    if (profile === undefined) return undefined;
    throw usage(`There is no profile ${profile}. Create it with wharf login --profile ${profile}.`);
  }
  const { renewal } = login;
  const renew = renewal === null ? undefined : () => renewLogin(path, name, renewal);
  return { ...login, source: path, renew };
};

/** Renews the token of a profile and saves it. Another command may have renewed it in the meantime. */
const renewLogin = async (
  path: string,
  profile: string,
  used: Renewal,
): Promise<Credential | undefined> => {
  const login = (await readLogins(path)).profiles[profile];
  if (login?.renewal == null) return undefined;
  if (login.renewal.refreshToken !== used.refreshToken) return login.credential;
  const renewed = await renewToken(login.renewal);
  if (renewed === undefined) return undefined;
  const { token, expiresAt, renewal } = renewed;
  const credential: Credential = { kind: "token", secret: token };
  await saveLogin(path, profile, { ...login, credential, expiresAt, renewal });
  return credential;
};

/** Returns the path of `local.json` in the data folder, as `npm start` chooses it. */
const localJsonPath = ({ env }: Pick<Io, "env">): string =>
  join(env.WHARF_DATA_DIR || ".wharf", "local.json");

/** Returns the URL of a local stack; undefined without one. */
export const localUrl = async (io: Io): Promise<string | undefined> => (await localLogin(io))?.url;

/** Reads the login of a local stack. */
export const localLogin = async (io: Io): Promise<Connection | undefined> => {
  const source = localJsonPath(io);
  const text = await readFile(resolve(io.cwd, source), "utf8").catch(() => "");
  const { baseUrl, tenantSlug, userToken } = Object(parseJson(text));
  if (![baseUrl, tenantSlug, userToken].every((member) => typeof member === "string")) {
    return undefined;
  }
  return {
    url: parseBaseUrl(baseUrl, `baseUrl in ${source}`),
    tenant: parseTenant(tenantSlug, `tenantSlug in ${source}`),
    credential: parseCredential(userToken, source),
    source,
    expiresAt: null,
    isLocal: true,
  };
};
