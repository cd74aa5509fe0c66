import type { APIGatewayProxyEvent } from "aws-lambda";
import type { Runtime } from "../runtime/runtime.ts";
import { type Call, callAnswerer, type LambdaContext, type WholeAnswer } from "./answer-call.ts";
import { type Begin, type EventStream, eventStream } from "./event-stream.ts";
import type { Headers } from "./request.ts";
import type { Route } from "./route.ts";

/** A Lambda function whose answer is streamed. It resolves when its work is done, after the answer or with it. */
export type StreamHandler = (
  event: APIGatewayProxyEvent,
  context: LambdaContext,
  begin: Begin,
) => Promise<void>;

/** What a handler can do beside answering. */
export type Live = {
  /** Where events go; undefined when the caller asked for none. */
  events: EventStream | undefined;
  /** Keeps the function at work after its answer, until this is done. */
  waitUntil: (work: Promise<void>) => void;
};

/**
 * `answerCalls` for a row that streams. A caller who accepts `text/event-stream` gets events from the
 * moment that the first is sent, the answer, or the problem, being the last of them; whatever goes wrong
 * before is an ordinary answer. After the answer the function goes on with what it was told to wait for.
 */
export const streamCalls = (
  row: Route,
  runtime: Runtime,
  work: (call: Call, live: Live) => Promise<unknown>,
): StreamHandler => {
  const { streaming } = row;
  if (!streaming) throw new Error(`The row ${row.operation} does not say that it streams.`);
  return async (event, lambda, begin) => {
    const waitingFor: Promise<void>[] = [];
    let events: EventStream | undefined;
    const answer = callAnswerer(row, runtime, (call) => {
      if (acceptsEvents(call.headers)) events = eventStream(begin, call.headersOfAnswer);
      return work(call, { events, waitUntil: (more) => void waitingFor.push(more) });
    });
    send(streaming, await answer(event, lambda), events, begin);
    await Promise.allSettled(waitingFor);
  };
};

const acceptsEvents = (headers: Headers): boolean =>
  (headers.get("accept") ?? []).some((value) =>
    /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(value),
  );

/** Work that goes on elsewhere (202) has no last event: the stream ends without one. */
const send = (
  names: NonNullable<Route["streaming"]>,
  answer: WholeAnswer,
  events: EventStream | undefined,
  begin: Begin,
): void => {
  if (!events || !(events.isOpen() || answer.status === 200)) {
    begin(answer).end(answer.body);
    return;
  }
  if (answer.status >= 400) events.send(names.failed, JSON.parse(answer.body));
  else if (answer.status === 200) events.send(names.completed, JSON.parse(answer.body));
  events.end();
};
