import type { Writable } from "node:stream";
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { readArrivedPath } from "../platform/http/gateway-path.ts";
import { type Headers, readEventHeaders } from "../platform/http/request.ts";
import type { LambdaContext } from "../platform/runtime/lambda-context.ts";
import { type Arrived, type HttpHandler, type Link, toHandler } from "./context.ts";
import { chain, type EdgeDeps, type EndpointOptions, toRouteRequest } from "./endpoint.ts";
import { type EventStream, eventStream, type StartResponse } from "./event-stream.ts";
import type { TakeSlot } from "./limit-concurrency.ts";
import type { Parsed } from "./parse-request.ts";
import { problemMediaType } from "./problem-details.ts";
import { protocols } from "./protocols.ts";
import { type RouteResponse, responseHeaders } from "./respond.ts";
import type { RouteRequest, Row, RowStreaming } from "./route.ts";
import { toRpcFailure } from "./rpc-failure.ts";

/**
 * A Lambda function with a streamed response. It resolves when its work is done, which may be after
 * the response.
 */
export type StreamHandler = (
  event: APIGatewayProxyEvent,
  context: LambdaContext,
  startResponse: StartResponse,
) => Promise<void>;

/** Operations of a handler in addition to its response. */
export type Live = {
  /**
   * Stream for events; undefined when the caller did not request one. Always present for a route with a protocol: its
   * handler decides, and sends all events but that of an error. A row with `onDemand` responds with them once one is sent.
   */
  events: EventStream | undefined;
  /** Keeps the function running after its response, until the promise settles. */
  waitUntil: (work: Promise<void>) => void;
  /** Takes one of the tenant's slots; undefined for a row that needs none. */
  takeSlot: TakeSlot | undefined;
  /** Takes one of the slots for long streams, for a row that takes a slot for the whole call; undefined for others. */
  takeStreamSlot: TakeSlot | undefined;
};

/** The state of a streamed response; `headers` returns those of its head, `request` is the body of its request. */
type Stream = {
  request?: unknown;
  live: Omit<Live, "takeSlot" | "takeStreamSlot">;
  headers: () => Record<string, string>;
};

/**
 * Returns the creator of Lambda handlers of rows that stream. A caller who accepts `text/event-stream` gets server-sent
 * events, the last of which is the response or the problem; an error before the first event is an ordinary response.
 * After the response the function waits for the work passed to `waitUntil`.
 */
export const createStreamedEndpoint =
  (deps: EdgeDeps) =>
  <R extends Row>(
    row: R,
    handle: (request: StreamedRouteRequest<R>) => Promise<RouteResponse<R>> | RouteResponse<R>,
    options: EndpointOptions<R> = {},
  ): StreamHandler => {
    const { streaming } = row;
    if (!streaming) throw new Error(`The row ${row.operation} has no \`streaming\`.`);
    const respond = toHandler(
      chain(deps, { row, ...options })
        .use(streamHeaders())
        .handler((_, context) => {
          const request = toRouteRequest<R>(context);
          const { takeSlot, takeStreamSlot } = context;
          const slots = { takeSlot, takeStreamSlot };
          return handle({ ...request, ctx: { ...request.ctx, ...context.stream.live, ...slots } });
        }),
    );
    return async (event, lambda, startResponse) => {
      const waitingFor: Promise<void>[] = [];
      const stream: Stream = {
        headers: () => ({}),
        live: {
          events: openEvents(row, { event, startResponse, headers: () => stream.headers() }),
          waitUntil: (work) => void waitingFor.push(work),
        },
      };
      const slotted = { stream, background: waitingFor };
      const response = await respond(event, Object.assign(lambda, slotted));
      // A replayed response is returned before the chain reaches the stream.
      if (!stream.live.events?.isOpen()) stream.headers = () => toStringHeaders(response.headers);
      send({ ...streaming, protocol: row.protocol }, response, stream, startResponse);
      await Promise.allSettled(waitingFor);
    };
  };

const openEvents = (
  { protocol, streaming }: Pick<Row, "protocol" | "streaming">,
  {
    event,
    startResponse,
    headers,
  }: {
    event: APIGatewayProxyEvent;
    startResponse: StartResponse;
    headers: () => Record<string, string>;
  },
): EventStream | undefined => {
  if (protocol) return eventStream(startResponse, headers, protocols[protocol].eventStyle);
  if (!acceptsEvents(readEventHeaders(event))) return undefined;
  return eventStream(startResponse, headers, streaming?.onDemand ? "plain" : "numbered");
};

type StreamedRouteRequest<R extends Row> = RouteRequest<R> & { ctx: Live };

/** Sets the event stream's headers to those that every response has, read when it starts, and its request. */
const streamHeaders = (): Link<Arrived & Parsed<Row> & { stream: Stream }> => ({
  before: ({ context }) => {
    context.stream.headers = () => responseHeaders(context);
    context.stream.request = context.input.body;
  },
});

const acceptsEvents = (headers: Headers): boolean =>
  (headers.get("accept") ?? []).some((value) =>
    value
      .split(",")
      .some((type) => /^text\/event-stream$/i.test(type.split(";", 1)[0]?.trim() ?? "")),
  );

/** Ends the stream; work that continues in the background (202) has no last event. */
const send = (
  { protocol, onDemand, rpcErrors, numbersErrors, ...names }: RowStreaming & Pick<Row, "protocol">,
  { statusCode: status, headers, body }: APIGatewayProxyResult,
  { request, live: { events } }: Pick<Stream, "request" | "live">,
  startResponse: StartResponse,
): void => {
  if (!events || !(events.isOpen() || (status === 200 && !protocol && !onDemand))) {
    startResponse({ status, headers: toStringHeaders(headers) }).end(body);
    return;
  }
  if (body && status >= 400) {
    const isProblem = headers?.["Content-Type"] === problemMediaType;
    const error: unknown = JSON.parse(body);
    const own = rpcErrors && isProblem ? toRpcFailure(error, request) : error;
    const event = protocol ? protocols[protocol].toErrorEvent(error) : own;
    const number = { sequence_number: events.count() };
    events.send(names.failed, numbersErrors ? Object.assign({}, event, number) : event);
  } else if (body && status === 200 && !protocol) events.send(names.completed, JSON.parse(body));
  events.end();
};

const toStringHeaders = (
  headers: Readonly<Record<string, unknown>> | undefined,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));

/** A handler in a function that streams, and its verb ("" for none). */
export type StreamedChoice = { readonly verb: string } & (
  | { readonly streams: true; readonly handler: StreamHandler }
  | { readonly streams: false; readonly handler: HttpHandler }
);

type Streaming = (event: APIGatewayProxyEvent, stream: Writable, context: Context) => Promise<void>;

/** Global of Lambda's Node.js runtime for functions that stream (aws-lambda-ric). */
declare const awslambda: {
  streamifyResponse: (handler: Streaming) => Streaming;
  HttpResponseStream: {
    from: (
      stream: Writable,
      head: { statusCode: number; headers: Record<string, string> },
    ) => Writable;
  };
};

/**
 * Creates the function of several handlers of which some stream. Calls the handler of the request's verb; without one,
 * the first, which responds with 404 or 405.
 */
export const streamed = (choices: readonly [StreamedChoice, ...StreamedChoice[]]): Streaming => {
  const [first] = choices;
  return awslambda.streamifyResponse(async (event, stream, context) => {
    const verb = readArrivedPath(event.resource, event.pathParameters)?.verb;
    const choice = choices.find((candidate) => candidate.verb === verb) ?? first;
    const startResponse: StartResponse = ({ status, headers }) => {
      const writable = awslambda.HttpResponseStream.from(stream, { statusCode: status, headers });
      // The runtime sends status and headers before the first write; `end` alone does not send them.
      writable.write("");
      return writable;
    };
    if (choice.streams) return choice.handler(event, context, startResponse);
    const { statusCode, headers, body } = await choice.handler(event, context);
    startResponse({ status: statusCode, headers: toStringHeaders(headers) }).end(body);
  });
};
