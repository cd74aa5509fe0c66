import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import {
  type Credential,
  parseApiKey,
  parseBaseUrl,
  parseCredential,
  parseTenant,
} from "./address.ts";
import { failed } from "./exit.ts";
import type { Io } from "./io.ts";
import { parseJson } from "./parse-json.ts";
import type { Renewal } from "./sign-in/tokens.ts";

/** A saved login. `renewal` is that of a sign-in with the browser. */
export type SavedLogin = {
  url: string;
  tenant: string;
  credential: Credential;
  expiresAt: number | null;
  renewal: Renewal | null;
};

/** The saved logins by the name of their profile, and the one that is used without a name. */
export type Logins = { current: string; profiles: Readonly<Record<string, SavedLogin>> };

/** Profile of a login without a name. */
export const defaultProfile = "default";

/** Returns the path of the saved logins: in `$XDG_CONFIG_HOME` if that is an absolute path, else in `~/.config`. */
export const credentialsPath = ({ env }: Pick<Io, "env">): string => {
  const configured = env.XDG_CONFIG_HOME ?? "";
  const folder = isAbsolute(configured) ? configured : join(env.HOME || homedir(), ".config");
  return join(folder, "wharf", "credentials.json");
};

/** Reads the saved logins. Throws for an unreadable or damaged file. */
export const readLogins = async (path: string): Promise<Logins> => {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw failed(`${path} cannot be read${formatErrorCode(error)}.`);
  });
  if (text === undefined) return { current: defaultProfile, profiles: {} };
  const saved = toMembers(parseJson(text));
  // Until there were profiles, the file was one login.
  const { current = defaultProfile, profiles = { [defaultProfile]: saved } } = saved;
  if (typeof current !== "string") throw damaged(path);
  const logins = Object.entries(toMembers(profiles)).map(([name, login]) => [
    name,
    toLogin(toMembers(login), path),
  ]);
  return { current, profiles: Object.fromEntries(logins) };
};

type Members = Readonly<Record<string, unknown>>;

const toMembers = (value: unknown): Members =>
  typeof value === "object" && value !== null ? { ...value } : {};

const damaged = (path: string) => failed(`${path} is damaged. Log in again: wharf login.`);

/** Validates a saved login, because the file may have been edited. */
const toLogin = ({ url, tenant, token, apiKey, expiresAt, renewal }: Members, path: string) => {
  const secret = token ?? apiKey;
  const texts = typeof url === "string" && typeof tenant === "string" && typeof secret === "string";
  if (!texts || (token !== undefined && apiKey !== undefined)) throw damaged(path);
  return {
    url: parseBaseUrl(url, `url in ${path}`),
    tenant: parseTenant(tenant, `tenant in ${path}`),
    credential: apiKey === undefined ? parseCredential(secret, path) : parseApiKey(secret, path),
    expiresAt: typeof expiresAt === "number" ? expiresAt : null,
    renewal: renewal === undefined ? null : toRenewal(toMembers(renewal), path),
  };
};

const toRenewal = (saved: Members, path: string): Renewal => {
  const { tokenEndpoint, clientId, refreshToken, bearer } = saved;
  if (
    typeof tokenEndpoint === "string" &&
    typeof clientId === "string" &&
    typeof refreshToken === "string" &&
    (bearer === "access_token" || bearer === "id_token")
  ) {
    return { tokenEndpoint, clientId, refreshToken, bearer };
  }
  throw damaged(path);
};

const toSaved = ({ url, tenant, credential, expiresAt, renewal }: SavedLogin) => ({
  url,
  tenant,
  ...(credential.kind === "token" ? { token: credential.secret } : { apiKey: credential.secret }),
  ...(expiresAt !== null && { expiresAt }),
  ...(renewal !== null && { renewal }),
});

/** Saves the logins atomically in a folder of their owner alone (file 0600, folder 0700); without any, removes the file. */
export const saveLogins = async (path: string, { current, profiles }: Logins): Promise<void> => {
  const saved = Object.entries(profiles).map(([name, login]) => [name, toSaved(login)]);
  if (saved.length === 0) return rm(path, { force: true });
  const text = JSON.stringify({ current, profiles: Object.fromEntries(saved) }, null, 2);
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await chmod(dirname(path), 0o700);
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${text}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw failed(`${path} cannot be written${formatErrorCode(error)}.`);
  }
};

/** Saves a login under a profile, which becomes the current one. A damaged file is replaced. */
export const saveLogin = async (
  path: string,
  profile: string,
  login: SavedLogin,
): Promise<void> => {
  const { profiles } = await readLogins(path).catch(() => ({ profiles: {} }));
  await saveLogins(path, { current: profile, profiles: { ...profiles, [profile]: login } });
};

const formatErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? ` (${error.code})` : "";

const isMissing = (error: unknown): boolean => formatErrorCode(error) === " (ENOENT)";
