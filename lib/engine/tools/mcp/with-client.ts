import type { Client, PriorDiscovery } from "@modelcontextprotocol/client";
import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import { untilAborted } from "../../../platform/outgoing/until-aborted.ts";
import { implementation } from "./implementation.ts";
import type { RemoteServer } from "./remote-server.ts";
import { toFailure } from "./to-failure.ts";
import { createTransport } from "./transport.ts";

/** Maximum pages of a list. */
const maxPages = 20;

/** Options of a session with a server. */
export type Session = {
  readonly outgoing: OutgoingOptions;
  readonly signal: AbortSignal;
  /** Time limit of the whole session. */
  readonly timeoutMs: number;
  /** Maximum bytes of one response. */
  readonly maxBytes: number;
  /** Protocol discovery of an earlier session, which saves a round trip. */
  readonly prior?: PriorDiscovery | undefined;
};

/**
 * Runs work with a client of a server, and closes the session afterwards. Throws the reason of an aborted signal;
 * all other failures are ToolErrors and UpstreamErrors without the server's texts.
 */
export const withClient = async <Result>(
  server: RemoteServer,
  session: Session,
  work: (client: Client, signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const sdk = await import("@modelcontextprotocol/client");
  const late = AbortSignal.timeout(session.timeoutMs);
  const connection = createTransport(server.url, {
    ...session,
    signal: AbortSignal.any([session.signal, late]),
    prover: server.prover,
  });
  const signal = AbortSignal.any([session.signal, late, connection.broken]);
  const transport = new sdk.StreamableHTTPClientTransport(server.url, {
    requestInit: { headers: { ...server.headers } },
    fetch: connection.fetch,
    onInsufficientScope: "throw",
  });
  const client = new sdk.Client(implementation, {
    versionNegotiation: { mode: "auto" },
    jsonSchemaValidator: noValidator,
    listMaxPages: maxPages,
  });
  try {
    const { timeoutMs: timeout, prior } = session;
    await untilAborted(signal, client.connect(transport, { signal, timeout, prior }));
    return await untilAborted(signal, work(client, signal));
  } catch (error) {
    session.signal.throwIfAborted();
    throw toFailure(sdk, connection.failure() ?? error, {
      upstream: server.url.host,
      isLate: late.aborted,
      challenge: connection.challenge(),
    });
  } finally {
    connection.closeSession();
    if (transport.sessionId !== undefined) await transport.terminateSession().catch(() => {});
    await client.close().catch(() => {});
  }
};

/** Skips the validation of results against the server's schemas, on which nothing relies. */
const noValidator = {
  getValidator: () => () =>
    ({ valid: false, data: undefined, errorMessage: "not checked" }) as const,
};
