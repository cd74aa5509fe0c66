import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Outcome } from "../functions/function-call.ts";
import type { Invoke } from "../functions/functions.ts";
import type { LocalApi, LocalMethod } from "../template/api.ts";
import { listenError } from "./assert-port-free.ts";
import { readBodyLimit } from "./body-limits.ts";
import { createGatewayErrors } from "./gateway-responses.ts";
import type { LocalHandler } from "./local-handler.ts";
import { proxyEvent } from "./proxy-event.ts";
import { type ProxyResponse, readResult } from "./proxy-response.ts";
import { readBody } from "./read-body.ts";
import { createRouter } from "./router.ts";
import { sendStream } from "./send-stream.ts";

/** The local API Gateway. */
export type Gateway = {
  port: number;
  /** Returns the name of the function behind a request such as `POST /v1/tenants`, or "". */
  findFunction: (request: string) => string;
  /** Number of requests in progress. */
  inFlight: () => number;
  /** Stops accepting connections, then waits up to `gracePeriod` milliseconds for requests in progress. */
  close: (gracePeriod: number) => Promise<void>;
};

type GatewayOptions = {
  api: LocalApi;
  host: string;
  port: number;
  invoke: Invoke;
  /** Responds to requests that are not the API's, such as those of the console. */
  local?: LocalHandler | undefined;
};

/** API Gateway's limits, in bytes: request URI and Lambda event. */
const longestAddress = 10_240;
const largestEvent = 6_291_456;

/** Errors for functions without a response, by reason. */
const faultsByReason = {
  late: "INTEGRATION_TIMEOUT",
  broken: "BAD_GATEWAY",
  throttled: "INTEGRATION_FAILURE",
} as const;

/** Starts the gateway. Throws a StopError when the port is in use. */
export const startGateway = async ({
  api,
  host,
  port,
  invoke,
  local,
}: GatewayOptions): Promise<Gateway> => {
  const route = createRouter(Object.keys(api.resources));
  const errors = createGatewayErrors(api.responses);
  let inFlight = 0;
  let closing = false;

  const closingHeaders = (): string[] => (closing ? ["Connection", "close"] : []);

  /** Returns the response, or undefined when a streamed response was sent. */
  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<ProxyResponse | undefined> => {
    const requestId = randomUUID();
    const method = request.method ?? "GET";
    const address = request.url ?? "/";
    const queryStart = address.indexOf("?");
    const path = queryStart === -1 ? address : address.slice(0, queryStart);
    const match = route(path);
    const sourceIp = request.socket.remoteAddress?.replace("::ffff:", "") ?? "127.0.0.1";
    const time = Date.now();
    const fault = (error: Parameters<typeof errors>[0]): ProxyResponse =>
      errors(error, {
        requestId,
        extendedRequestId: requestId,
        httpMethod: method,
        path: path.replaceAll(/["\\]/g, (quote) => encodeURIComponent(quote)),
        resourcePath: match?.resource ?? "",
        stage: api.stage,
        apiId: "local",
        requestTimeEpoch: String(time),
        "identity.sourceIp": sourceIp,
      });
    if (address.length > longestAddress) return fault("URI_TOO_LONG");
    const target: LocalMethod | undefined =
      match && (api.resources[match.resource]?.[method] ?? api.resources[match.resource]?.ANY);
    if (!match || !target) return fault("MISSING_AUTHENTICATION_TOKEN");
    if (!target.isAllowed) return fault("API_CONFIGURATION_ERROR");
    const body = await readBody(request);
    if (body === undefined) return fault(await readBodyLimit({ method, path, match }));
    const query = queryStart === -1 ? "" : address.slice(queryStart + 1);
    const event = JSON.stringify(
      proxyEvent(
        { method, path, query, rawHeaders: request.rawHeaders, body, sourceIp, requestId, time },
        match,
        api.stage,
      ),
    );
    if (event.length > largestEvent) return fault(await readBodyLimit({ method, path, match }));
    if (target.streams) {
      const sent = await sendStream({
        response,
        headers: () => ["x-amzn-RequestId", requestId, ...closingHeaders()],
        milliseconds: target.timeoutMilliseconds,
        start: (reader) => invoke(target.functionName, { event, requestId, reader }),
      });
      if (sent === "sent") return undefined;
      return fault(faultsByReason[sent]);
    }
    const outcome = await withinTime(
      invoke(target.functionName, { event, requestId }),
      target.timeoutMilliseconds,
    );
    if (outcome === undefined) return fault(faultsByReason.late);
    if (outcome.type === "throttled") return fault(faultsByReason.throttled);
    const result = outcome.type === "result" ? readResult(outcome.payload) : undefined;
    if (result === undefined) return fault(faultsByReason.broken);
    result.headers.push("x-amzn-RequestId", requestId);
    return result;
  };

  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    inFlight += 1;
    response.once("close", () => {
      inFlight -= 1;
    });
    if (local?.(request, response)) return;
    handle(request, response).then(
      (result) => {
        if (!result) return;
        const { status, headers, body } = result;
        headers.push(...closingHeaders());
        if (status !== 204) headers.push("Content-Length", String(Buffer.byteLength(body)));
        response.writeHead(status, headers);
        response.end(body);
      },
      () => response.destroy(),
    );
  });

  // Longer than clients keep an idle connection: one that is closed while they send on it is an error for them.
  server.keepAliveTimeout = 65_000;
  server.listen(port, host);
  await listening(server, host, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    findFunction: (request) => {
      const [method = "", path = ""] = request.split(" ");
      const resource = api.resources[route(path)?.resource ?? ""];
      return (resource?.[method] ?? resource?.ANY)?.functionName ?? "";
    },
    inFlight: () => inFlight,
    close: async (gracePeriod) => {
      closing = true;
      const closed = once(server, "close");
      server.close();
      const timer = setTimeout(() => server.closeAllConnections(), gracePeriod);
      await closed;
      clearTimeout(timer);
    },
  };
};

const listening = async (
  server: ReturnType<typeof createServer>,
  host: string,
  port: number,
): Promise<void> => {
  try {
    await once(server, "listening");
  } catch (error) {
    throw listenError(error, host, port);
  }
};

const withinTime = async (
  outcome: Promise<Outcome>,
  milliseconds: number,
): Promise<Outcome | undefined> => {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), milliseconds);
  const first = await Promise.race([outcome, late.promise]);
  clearTimeout(timer);
  return first;
};
