import { unwrapBody } from "../../../client/client.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import { isUnencrypted, parseCredential, parseTenant } from "../../address.ts";
import type { GlobalInput } from "../../command.ts";
import { localUrl, namedAddress } from "../../connection.ts";
import { credentialsPath, readLogins, type SavedLogin, saveLogin } from "../../credentials.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { askSecret, canAsk, readPiped } from "../../prompt.ts";
import { createSession } from "../../session.ts";
import { type SignInOptions, signIn } from "../../sign-in/sign-in.ts";

type Input = GlobalInput & SignInOptions & { token: string | undefined };

/** A login before its tenant is known. */
type Entered = Pick<SavedLogin, "credential" | "expiresAt" | "renewal"> & {
  /** Tenant of the deployment's console. */
  tenant?: string | undefined;
};

/** Runs `wharf login`. */
export const login = async (options: Input, io: Io): Promise<void> => {
  const path = credentialsPath(io);
  const named = namedAddress(options, io);
  const { current, profiles } = await readLogins(path).catch(() => ({
    current: "default",
    profiles: {} as Record<string, SavedLogin>,
  }));
  const profile = named.profile ?? current;
  const last = profiles[profile];
  const url = named.url ?? last?.url ?? (await localUrl(io));
  if (url === undefined) throw usage("Set the API to log in to with --url or WHARF_URL.");
  if (isUnencrypted(url)) {
    printMessage(io, `wharf: Warning: ${url} is not https, so the token is sent unencrypted.`);
  }
  const withBrowser = options.token === undefined && (canAsk(io) || options.device);
  const lastTenant = last?.url === url ? last.tenant : undefined;
  const asked = named.tenant ?? lastTenant;
  const entered: Entered = withBrowser
    ? await signIn(url, options, io)
    : { credential: await readToken(options.token, io), expiresAt: null, renewal: null };
  const { credential, expiresAt, renewal } = entered;
  const found = { url, credential, expiresAt, source: undefined };
  const tenant = asked ?? (await chooseTenant({ ...found, tenant: "" }, entered.tenant, io));
  const who = await check({ ...found, tenant }, io);
  await saveLogin(path, profile, { url, tenant, credential, expiresAt, renewal });
  const asProfile = profile === "default" ? "" : ` as profile ${profile}`;
  printMessage(io, `Logged in to ${url}, tenant ${who}. Saved in ${path}${asProfile}.`);
  if (options.json) printJson(io, { url, tenant, profile, loggedIn: true });
};

const readToken = async (given: string | undefined, io: Io) => {
  if (given !== undefined && given !== "-") return parseCredential(given, "--token");
  if (canAsk(io)) return parseCredential(await askSecret(io, "Token: "), "The input");
  return parseCredential(await readPiped(io), "Standard input");
};

type Checked = Parameters<typeof createSession>[0];

/** Returns the only tenant that a credential can read, or the one that the deployment's console opens first. */
const chooseTenant = async (
  connection: Checked,
  first: string | undefined,
  io: Io,
): Promise<string> => {
  const slugs = await listTenants(connection, io);
  if (slugs === undefined) {
    throw usage(
      "The credential may not list tenants (organization:read). Set the tenant with --tenant or WHARF_TENANT.",
    );
  }
  const chosen = slugs.length === 1 ? slugs[0] : slugs.find((slug) => slug === first);
  if (chosen !== undefined) return parseTenant(chosen, "The tenant");
  if (slugs.length === 0) throw usage("The organization has no tenant yet.");
  throw usage(`There are ${slugs.length} tenants. Set one with --tenant: ${slugs.join(", ")}.`);
};

const listTenants = async (connection: Checked, io: Io): Promise<string[] | undefined> => {
  try {
    const tenants = await unwrapBody(createSession(connection, io).client.GET("/v1/tenants"));
    return tenants.map(({ slug }) => slug);
  } catch (error) {
    if (error instanceof ProblemError && error.slug === "insufficient-scope") return undefined;
    throw error;
  }
};

/** Verifies a credential by reading the tenant. One without the scope is valid, too, and the tenant exists. */
const check = async (connection: Checked, io: Io): Promise<string> => {
  const { client, tenant } = createSession(connection, io);
  try {
    const { slug, displayName } = await unwrapBody(
      client.GET("/v1/tenants/{tenant}", { params: { path: { tenant } } }),
    );
    return `${slug} (${displayName})`;
  } catch (error) {
    if (error instanceof ProblemError && error.slug === "insufficient-scope") return tenant;
    throw error;
  }
};
