import type { EventStream } from "../edge/event-stream.ts";
import type { CallContext } from "../platform/http/call-context.ts";

/** Time after which a response without a result begins: API Gateway waits 29 s for it. */
const openAfterMs = 20_000;
/** Longest call of a client with a stream. The official client waits 60 s unless it has other settings. */
const streamedMs = 50_000;
/** Time reserved for sending the response. */
const marginMs = 2_000;

type Call = {
  ctx: Pick<CallContext, "startedAt" | "deadline" | "respondBy" | "clock">;
  /** Undefined for a client that does not accept one. */
  events: Pick<EventStream, "open"> | undefined;
};

/** Returns when the response to a request is due, Unix milliseconds: later for a client that accepts a stream. */
export const findResponseTime = ({ ctx, events }: Call): number =>
  (events ? Math.min(ctx.startedAt + streamedMs, ctx.deadline) : ctx.respondBy) - marginMs;

/** Does work for a response, which begins as a stream before API Gateway gives up on it. */
export const openInTime = async <Result>(
  { ctx, events }: Call,
  work: () => Promise<Result>,
): Promise<Result> => {
  const timer = setTimeout(() => events?.open(), ctx.startedAt + openAfterMs - ctx.clock());
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
};
