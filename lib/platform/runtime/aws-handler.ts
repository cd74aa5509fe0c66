import { Agent, type IncomingHttpHeaders, request as overHttp } from "node:http";
import { request as overHttps, Agent as TlsAgent } from "node:https";
import type { RequestSigner } from "./aws-signer.ts";

type Request = Parameters<RequestSigner["sign"]>[0];
type Options = { abortSignal?: unknown; requestTimeout?: number };
type Response = {
  statusCode: number;
  reason: string | undefined;
  headers: Record<string, string>;
  body: Uint8Array;
};

const connections = { keepAlive: true, maxSockets: 50 };

/**
 * Creates the HTTP client of an AWS client with small JSON documents as requests and responses. It
 * keeps connections, and reads a response whole, with one timer for both; the SDK's starts four
 * timers per call, and reads through a stream. A call that takes longer than `timeoutMs` fails with
 * the SDK's TimeoutError.
 */
export const requestHandler = (timeoutMs: number) => {
  const agents = { http: new Agent(connections), https: new TlsAgent(connections) };
  return {
    metadata: { handlerProtocol: "http/1.1" },
    handle: (
      { protocol, hostname, port, method, path, headers, body }: Request,
      options: Options = {},
    ) =>
      new Promise<{ response: Response }>((resolve, reject) => {
        const isTls = protocol === "https:";
        const sent = (isTls ? overHttps : overHttp)({
          host: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
          port,
          method,
          path,
          headers,
          agent: isTls ? agents.https : agents.http,
          signal: toAbortSignal(options.abortSignal),
        });
        const fail = (error: Error) => {
          clearTimeout(timer);
          reject(error);
        };
        const timer = setTimeout(() => {
          const error = timeoutError(timeoutMs);
          fail(error);
          sent.destroy(error);
        }, options.requestTimeout ?? timeoutMs);
        sent.on("error", fail);
        sent.on("response", (received) => {
          const parts: Buffer[] = [];
          received.on("error", fail);
          received.on("data", (part: Buffer) => parts.push(part));
          received.on("end", () => {
            clearTimeout(timer);
            const [only = Buffer.alloc(0)] = parts;
            const response = {
              statusCode: received.statusCode ?? -1,
              reason: received.statusMessage,
              headers: singleValues(received.headers),
              body: parts.length > 1 ? Buffer.concat(parts) : only,
            };
            resolve({ response });
          });
        });
        sent.end(body);
      }),
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
};

const toAbortSignal = (signal: unknown): AbortSignal | undefined =>
  signal instanceof AbortSignal ? signal : undefined;

const timeoutError = (timeoutMs: number): Error =>
  Object.assign(new Error(`no complete response within ${timeoutMs} ms`), {
    name: "TimeoutError",
    code: "ETIMEDOUT",
  });

const singleValues = (headers: IncomingHttpHeaders): Record<string, string> => {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return single;
};
