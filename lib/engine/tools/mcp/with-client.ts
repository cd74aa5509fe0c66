import type { Client, PriorDiscovery } from "@modelcontextprotocol/client";
import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import { untilAborted } from "../../../platform/outgoing/until-aborted.ts";
import { implementation } from "./implementation.ts";
import { layLine } from "./line.ts";
import type { RemoteServer } from "./remote-server.ts";
import { toFailure } from "./to-failure.ts";

/** How a server is spoken to. */
export type Session = {
  readonly outgoing: OutgoingOptions;
  readonly signal: AbortSignal;
  /** For all of it, from the connection to the last answer. */
  readonly timeoutMs: number;
  /** Of one answer. */
  readonly maxBytes: number;
  /** What an earlier session learned of the server's protocol, which saves a round trip. */
  readonly prior?: PriorDiscovery | undefined;
};

/**
 * Does work with a client of a server, in a session that is closed afterwards. When the session's signal is
 * aborted its reason is thrown; all other failures are ToolErrors and UpstreamErrors, without anything of
 * what the server answered.
 */
export async function withClient<Result>(
  server: RemoteServer,
  session: Session,
  work: (client: Client, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const sdk = await import("@modelcontextprotocol/client");
  const late = AbortSignal.timeout(session.timeoutMs);
  const line = layLine(server.url, { ...session, signal: AbortSignal.any([session.signal, late]) });
  const signal = AbortSignal.any([session.signal, late, line.broken]);
  const transport = new sdk.StreamableHTTPClientTransport(server.url, {
    requestInit: { headers: { ...server.headers } },
    fetch: line.fetch,
    onInsufficientScope: "throw",
  });
  const client = new sdk.Client(implementation, {
    versionNegotiation: { mode: "auto" },
    jsonSchemaValidator: noValidator,
  });
  try {
    const { timeoutMs: timeout, prior } = session;
    await untilAborted(signal, client.connect(transport, { signal, timeout, prior }));
    return await untilAborted(signal, work(client, signal));
  } catch (error) {
    session.signal.throwIfAborted();
    throw toFailure(sdk, server.url.host, line.failure() ?? error, late.aborted);
  } finally {
    line.sayGoodbye();
    if (transport.sessionId !== undefined) await transport.terminateSession().catch(() => {});
    await client.close().catch(() => {});
  }
}

/** Results are not checked against a server's own schemas: nothing of ours relies on them. */
const noValidator = {
  getValidator: () => () =>
    ({ valid: false, data: undefined, errorMessage: "not checked" }) as const,
};
