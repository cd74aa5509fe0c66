import * as z from "zod";
import type { EventStream } from "../edge/event-stream.ts";
import type { CallContext } from "../platform/http/call-context.ts";
import type { McpBody } from "./schemas.ts";

/** Time after which a response without a result begins: API Gateway waits 29 s for it. */
const openAfterMs = 20_000;
/** Longest call of a client with a stream. The official client waits 60 s unless it has other settings. */
const streamedMs = 50_000;
/** Longest call of a client that asks for progress: the official client extends its wait with every report. */
const reportedMs = 120_000;
/** Time reserved for sending the response. */
const marginMs = 2_000;

const Reported = z.looseObject({
  params: z.looseObject({
    _meta: z.looseObject({ progressToken: z.union([z.string(), z.number()]) }),
  }),
});

type Call = {
  ctx: Pick<CallContext, "startedAt" | "deadline" | "respondBy" | "clock">;
  body: McpBody;
  /** Undefined for a client that does not accept one. */
  events: Pick<EventStream, "open"> | undefined;
};

/** Returns when the response to a request is due, Unix milliseconds: later for a client that accepts a stream. */
export const findResponseTime = ({ ctx, body, events }: Call): number => {
  if (!events) return ctx.respondBy - marginMs;
  const messages = Array.isArray(body) ? body : [body];
  const isReported = messages.some((message) => Reported.safeParse(message).success);
  const longest = ctx.startedAt + (isReported ? reportedMs : streamedMs);
  return Math.min(longest, ctx.deadline) - marginMs;
};

/** Does work for a response, which begins as a stream before API Gateway gives up on it. */
export const openInTime = async <Result>(
  { ctx, events }: Omit<Call, "body">,
  work: () => Promise<Result>,
): Promise<Result> => {
  const timer = setTimeout(() => events?.open(), ctx.startedAt + openAfterMs - ctx.clock());
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
};
