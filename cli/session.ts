import { type Credentials, createClient, type WharfClient } from "../client/client.ts";
import { waitFor } from "../client/retry.ts";
import type { Credential } from "./address.ts";
import { type AddressOptions, type Connection, resolveConnection } from "./connection.ts";
import type { Io } from "./io.ts";
import { printMessage } from "./output.ts";
import { cliFetch } from "./transport.ts";

/** The API as a command uses it. */
export type Session = { client: WharfClient; tenant: string; connection: Connection };

/** Resolves the connection of a command and creates its client. */
export const openSession = async (options: AddressOptions, io: Io): Promise<Session> =>
  createSession(await resolveConnection(options, io), io);

/** A token is renewed this long before it expires. */
const renewalMs = 60_000;

/**
 * Creates the client of a connection. It waits and retries after a 429, at most three times, and renews the token of a
 * sign-in.
 */
export const createSession = (connection: Connection, io: Io): Session => {
  let { credential, expiresAt } = connection;
  const renew = async (): Promise<Credentials | undefined> => {
    const renewed = await connection.renew?.();
    if (renewed === undefined) return undefined;
    credential = renewed;
    expiresAt = null;
    return toCredentials(renewed);
  };
  const client = createClient({
    baseUrl: connection.url,
    credentials: async () => {
      const isDue = expiresAt !== null && expiresAt < Date.now() + renewalMs;
      return (isDue ? await renew() : undefined) ?? toCredentials(credential);
    },
    ...(connection.renew && { renew }),
    fetch: cliFetch(connection, io),
    retry: {
      maxWaitSeconds: 300,
      random: () => 0,
      wait: async (milliseconds, signal) => {
        printMessage(io, `wharf: Too many requests; waiting ${Math.ceil(milliseconds / 1_000)} s.`);
        await waitFor(milliseconds, signal);
      },
    },
  });
  return { client, tenant: connection.tenant, connection };
};

const toCredentials = ({ kind, secret }: Credential): Credentials =>
  kind === "token" ? { token: secret } : { apiKey: secret };
