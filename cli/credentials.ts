import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import * as z from "zod";
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

/** A saved login. */
export type SavedLogin = { url: string; tenant: string; credential: Credential };

const address = { url: z.string(), tenant: z.string() };

const SavedFile = z.union([
  z.object({ ...address, token: z.string() }),
  z.object({ ...address, apiKey: z.string() }),
]);

/** Returns the path of the saved login: in `$XDG_CONFIG_HOME` if that is an absolute path, else in `~/.config`. */
export const credentialsPath = ({ env }: Pick<Io, "env">): string => {
  const configured = env.XDG_CONFIG_HOME ?? "";
  const folder = isAbsolute(configured) ? configured : join(env.HOME || homedir(), ".config");
  return join(folder, "wharf", "credentials.json");
};

/** Reads the saved login; undefined if there is none. Throws for an unreadable or damaged file. */
export const readLogin = async (path: string): Promise<SavedLogin | undefined> => {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw failed(`${path} cannot be read${codeOf(error)}.`);
  });
  if (text === undefined) return undefined;
  const saved = SavedFile.safeParse(parseJson(text));
  if (!saved.success) throw failed(`${path} is damaged. Log in again: wharf login.`);
  const { url, tenant } = saved.data;
  const credential: Credential =
    "token" in saved.data
      ? { kind: "token", secret: saved.data.token }
      : { kind: "api-key", secret: saved.data.apiKey };
  return checkLogin({ url, tenant, credential }, path);
};

/** Validates a saved login, whose file may have been edited. */
export const checkLogin = (
  { url, tenant, credential }: SavedLogin,
  source: string,
): SavedLogin => ({
  url: parseBaseUrl(url, `url in ${source}`),
  tenant: parseTenant(tenant, `tenant in ${source}`),
  credential:
    credential.kind === "token"
      ? parseCredential(credential.secret, source)
      : parseApiKey(credential.secret, source),
});

/** Saves a login atomically, readable by its owner only (mode 0600). */
export const saveLogin = async (path: string, login: SavedLogin): Promise<void> => {
  const { url, tenant, credential } = login;
  const secret =
    credential.kind === "token" ? { token: credential.secret } : { apiKey: credential.secret };
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ url, tenant, ...secret }, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw failed(`${path} cannot be written${codeOf(error)}.`);
  }
};

/** Deletes the saved login; false if there was none. */
export const removeLogin = async (path: string): Promise<boolean> => {
  try {
    await rm(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw failed(`${path} cannot be removed${codeOf(error)}.`);
  }
};

const SystemError = z.object({ code: z.string() });

const codeOf = (error: unknown): string => {
  const { data } = SystemError.safeParse(error);
  return data === undefined ? "" : ` (${data.code})`;
};

const isMissing = (error: unknown): boolean => codeOf(error) === " (ENOENT)";
