import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import * as z from "zod";

/** Response of a forwarded request. */
export type Forwarded = {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
};

/** Sends requests of a proxy to another server, over kept connections. */
export type Forwarder = {
  /** Sends a request with this body in place of its own. */
  forward: (to: URL, incoming: IncomingMessage, body: Buffer) => Promise<Forwarded>;
  close: () => void;
};

/** Creates a forwarder. */
export const createForwarder = (): Forwarder => {
  const agent = new Agent({ keepAlive: true, maxSockets: 512 });
  return {
    forward: async ({ hostname, port, host }, incoming, body) => {
      const { method, url: path } = incoming;
      const { "transfer-encoding": _, ...received } = incoming.headers;
      const headers = { ...received, host, "content-length": body.length };
      const outgoing = request({ agent, hostname, port, method, path, headers });
      outgoing.end(body);
      const [response] = z
        .tuple([z.custom<IncomingMessage>()])
        .parse(await once(outgoing, "response"));
      const chunks: Buffer[] = await response.toArray();
      const { "transfer-encoding": __, ...kept } = response.headers;
      return {
        status: response.statusCode ?? 502,
        headers: Object.fromEntries(
          Object.entries(kept).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value]],
          ),
        ),
        body: Buffer.concat(chunks),
      };
    },
    close: () => agent.destroy(),
  };
};
