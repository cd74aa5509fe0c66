import { createClient, type WharfClient } from "../client/client.ts";
import { waitFor } from "../client/retry.ts";
import { type AddressOptions, type Connection, resolveConnection } from "./connection.ts";
import type { Io } from "./io.ts";
import { printMessage } from "./output.ts";
import { cliFetch } from "./transport.ts";

/** The API as a command uses it. */
export type Session = { client: WharfClient; tenant: string; connection: Connection };

/** Resolves the connection of a command and creates its client. */
export const openSession = async (options: AddressOptions, io: Io): Promise<Session> =>
  sessionOf(await resolveConnection(options, io), io);

/** Creates the client of a connection. It waits and retries after a 429, at most three times. */
export const sessionOf = (connection: Connection, io: Io): Session => {
  const { kind, secret } = connection.credential;
  const client = createClient({
    baseUrl: connection.url,
    credentials: () => (kind === "token" ? { token: secret } : { apiKey: secret }),
    fetch: cliFetch(connection, io),
    retry: {
      longestWaitSeconds: 300,
      random: () => 0,
      wait: async (milliseconds, signal) => {
        printMessage(io, `wharf: Too many requests; waiting ${Math.ceil(milliseconds / 1_000)} s.`);
        await waitFor(milliseconds, signal);
      },
    },
  });
  return { client, tenant: connection.tenant, connection };
};
