import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Outcome } from "../functions/function-call.ts";
import type { Invoke } from "../functions/functions.ts";
import type { LocalApi, LocalMethod } from "../template/api.ts";
import { type Answer, readResult } from "./answer.ts";
import { listenError } from "./assert-port-free.ts";
import { proxyEvent } from "./event.ts";
import { createGatewayErrors, type GatewayErrorKind } from "./gateway-responses.ts";
import { readBody } from "./read-body.ts";
import { createRouter } from "./router.ts";
import { sendStream } from "./send-stream.ts";

/** The REST API on this machine. */
export type Gateway = {
  port: number;
  /** Name of the function that answers a request such as `POST /v1/tenants`, or "". */
  functionOf: (request: string) => string;
  /** Number of requests under way. */
  underWay: () => number;
  /** Takes no more connections and waits for the requests under way, for `patience` milliseconds at most. */
  close: (patience: number) => Promise<void>;
};

type GatewayOptions = {
  api: LocalApi;
  host: string;
  port: number;
  invoke: Invoke;
};

/** API Gateway's limits, in bytes: the address, and an event to Lambda. */
const longestAddress = 10_240;
const largestEvent = 6_291_456;

/** Starts the gateway; a StopError when the port is taken. */
export const startGateway = async ({
  api,
  host,
  port,
  invoke,
}: GatewayOptions): Promise<Gateway> => {
  const route = createRouter(Object.keys(api.resources));
  const errors = createGatewayErrors(api.responses);
  let underWay = 0;
  let closing = false;

  const closingHeaders = (): string[] => (closing ? ["Connection", "close"] : []);

  /** Undefined when the answer is on its way already. */
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer | undefined> => {
    const requestId = randomUUID();
    const method = request.method ?? "GET";
    const address = request.url ?? "/";
    const mark = address.indexOf("?");
    const path = mark === -1 ? address : address.slice(0, mark);
    const match = route(path);
    const sourceIp = request.socket.remoteAddress?.replace("::ffff:", "") ?? "127.0.0.1";
    const time = Date.now();
    const fault = (kind: GatewayErrorKind): Answer =>
      errors(kind, {
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
    const body = await readBody(request, response);
    if (body === undefined) return fault("REQUEST_TOO_LARGE");
    const query = mark === -1 ? "" : address.slice(mark + 1);
    const event = JSON.stringify(
      proxyEvent(
        { method, path, query, rawHeaders: request.rawHeaders, body, sourceIp, requestId, time },
        match,
        api.stage,
      ),
    );
    if (event.length > largestEvent) return fault("REQUEST_TOO_LARGE");
    if (target.streams) {
      const sent = await sendStream({
        response,
        headers: () => ["x-amzn-RequestId", requestId, ...closingHeaders()],
        milliseconds: target.timeoutMilliseconds,
        start: (reader) => invoke(target.functionName, { event, requestId, reader }),
      });
      if (sent === "sent") return undefined;
      return fault(sent === "late" ? "INTEGRATION_TIMEOUT" : "BAD_GATEWAY");
    }
    const outcome = await withinTime(
      invoke(target.functionName, { event, requestId }),
      target.timeoutMilliseconds,
    );
    if (outcome === undefined) return fault("INTEGRATION_TIMEOUT");
    const result = outcome.type === "result" ? readResult(outcome.payload) : undefined;
    if (result === undefined) return fault("BAD_GATEWAY");
    result.headers.push("x-amzn-RequestId", requestId);
    return result;
  };

  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    underWay += 1;
    response.once("close", () => {
      underWay -= 1;
    });
    answer(request, response).then(
      (answered) => {
        if (!answered) return;
        const { status, headers, body } = answered;
        headers.push(...closingHeaders());
        if (status !== 204) headers.push("Content-Length", String(Buffer.byteLength(body)));
        response.writeHead(status, headers);
        response.end(body);
      },
      () => response.destroy(),
    );
  });

  server.listen(port, host);
  await listening(server, host, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    functionOf: (request) => {
      const [method = "", path = ""] = request.split(" ");
      const resource = api.resources[route(path)?.resource ?? ""];
      return (resource?.[method] ?? resource?.ANY)?.functionName ?? "";
    },
    underWay: () => underWay,
    close: async (patience) => {
      closing = true;
      const closed = once(server, "close");
      server.close();
      const timer = setTimeout(() => server.closeAllConnections(), patience);
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
