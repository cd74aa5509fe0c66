import type * as z from "zod";
import { type Runtime, systemRuntime } from "../runtime/runtime.ts";
import { answerCalls, type Call, type CallContext, type HttpHandler } from "./answer-call.ts";
import { type ParsedRequest, parseRequest } from "./parse-request.ts";
import type { Headers } from "./request.ts";
import type { Reply } from "./respond.ts";
import type { Route, Shape } from "./route.ts";

/** The handler of a route that needs no credentials. Carries nothing of storage or authentication. */
export const publicEndpoint = <
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Response extends z.ZodType,
>(
  row: Route<Params, Query, Body, Response, string, "public">,
  handle: (
    input: ParsedRequest<Params, Query, Body> & {
      headers: Headers;
      ctx: CallContext;
      /** The call as it came, for rows whose body is no JSON. */
      call: Call;
    },
  ) => Promise<z.input<Response> | Reply> | z.input<Response> | Reply,
  runtime: Runtime = systemRuntime,
): HttpHandler =>
  answerCalls(row, runtime, async (call) => {
    const { event, headers, pathValues, context } = call;
    const input = parseRequest(row, event, headers, pathValues);
    return handle({ ...input, headers, ctx: context, call });
  });
