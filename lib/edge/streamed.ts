import type { Writable } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { readArrivedPath } from "../platform/http/gateway-path.ts";
import type { HttpHandler } from "./context.ts";
import type { Begin } from "./event-stream.ts";
import type { StreamHandler } from "./streamed-endpoint.ts";

/** A handler in a function that streams, and the verb that it answers ("" without one). */
export type StreamedChoice = { readonly verb: string } & (
  | { readonly streams: true; readonly handler: StreamHandler }
  | { readonly streams: false; readonly handler: HttpHandler }
);

type Streaming = (event: APIGatewayProxyEvent, stream: Writable, context: Context) => Promise<void>;

/** What Lambda's runtime for Node offers to functions that stream (aws-lambda-ric). */
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
 * The function of one or several handlers of which some stream: the one whose verb was called answers,
 * the first when nobody's was, which says 404 or 405.
 */
export const streamed = (choices: readonly [StreamedChoice, ...StreamedChoice[]]): Streaming => {
  const [first] = choices;
  return awslambda.streamifyResponse(async (event, stream, context) => {
    const verb = readArrivedPath(event.resource, event.pathParameters)?.verb;
    const choice = choices.find((each) => each.verb === verb) ?? first;
    const begin: Begin = ({ status, headers }) => {
      const begun = awslambda.HttpResponseStream.from(stream, { statusCode: status, headers });
      // The runtime puts status and headers before the first write; what `end` writes does not count.
      begun.write("");
      return begun;
    };
    if (choice.streams) return choice.handler(event, context, begin);
    const { statusCode, headers, body } = await choice.handler(event, context);
    begin({ status: statusCode, headers: stringsOf(headers) }).end(body);
  });
};

const stringsOf = (
  headers: Readonly<Record<string, unknown>> | undefined,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
