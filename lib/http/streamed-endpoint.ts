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

/** A row that streams. */
export type StreamingRoute = Route & { streaming: { completed: string; failed: string } };

/**
 * `answerCalls` for a row that streams. A caller who accepts `text/event-stream` gets events from the
 * moment that the first is sent, the answer, or the problem, being the last of them; whatever goes wrong
 * before is an ordinary answer. After the answer the function goes on with what it was told to wait for.
 */
export const streamCalls =
  (
    row: StreamingRoute,
    runtime: Runtime,
    work: (call: Call, live: Live) => Promise<unknown>,
  ): StreamHandler =>
  async (event, lambda, begin) => {
    const waitingFor: Promise<void>[] = [];
    let events: EventStream | undefined;
    const answer = callAnswerer(row, runtime, (call) => {
      if (acceptsEvents(call.headers)) events = eventStream(begin, call.headersOfAnswer);
      return work(call, { events, waitUntil: (more) => void waitingFor.push(more) });
    });
    send(row, await answer(event, lambda), events, begin);
    await Promise.allSettled(waitingFor);
  };

const acceptsEvents = (headers: Headers): boolean =>
  (headers.get("accept") ?? []).some((value) =>
    /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(value),
  );

const send = (
  { streaming }: StreamingRoute,
  answer: WholeAnswer,
  events: EventStream | undefined,
  begin: Begin,
): void => {
  if (events && (events.isOpen() || answer.status === 200)) {
    const name = answer.status < 400 ? streaming.completed : streaming.failed;
    events.send(name, JSON.parse(answer.body));
    return events.end();
  }
  begin(answer).end(answer.body);
};
