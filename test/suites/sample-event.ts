import type { Consumer } from "../../lib/edge/consumer.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { Scheduled } from "../../lib/edge/scheduled.ts";
import { toGatewayPath } from "../../lib/platform/http/gateway-path.ts";
import { readExample, sampleParams, sampleRequest } from "./sample-request.ts";

/** Returns the event that API Gateway sends to a row's function for its sample request. */
export const sampleHttpEvent = (row: Route, apiKey = "wharf_live_REPLACE_ME") => {
  const { resource, verb, names } = toGatewayPath(row.path);
  const { method, path, query, body } = sampleRequest(row);
  const params = sampleParams(row);
  const headers = {
    Accept: "application/json",
    ...(row.scope !== "public" && { "X-API-KEY": apiKey }),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  const pathParameters = Object.fromEntries(
    names.map((name, at) => [
      `p${at + 1}`,
      encodeURIComponent(params[name] ?? "") +
        (verb !== "" && at === names.length - 1 ? `:${verb}` : ""),
    ]),
  );
  const hasQuery = Object.keys(query).length > 0;
  return {
    resource,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    ),
    queryStringParameters: hasQuery ? query : null,
    multiValueQueryStringParameters: hasQuery
      ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))
      : null,
    pathParameters: names.length > 0 ? pathParameters : null,
    stageVariables: null,
    requestContext: {
      accountId: "000000000000",
      apiId: "sample",
      httpMethod: method,
      path,
      protocol: "HTTP/1.1",
      requestId: "00000000-0000-4000-8000-000000000000",
      requestTimeEpoch: 1763596800000,
      resourcePath: resource,
      stage: "live",
      identity: { sourceIp: "127.0.0.1", userAgent: "sample" },
    },
    body: body === undefined ? null : Buffer.from(JSON.stringify(body)).toString("base64"),
    isBase64Encoded: body !== undefined,
  };
};

/** Returns the event that SQS sends to a consumer's function for one message. */
export const sampleQueueEvent = ({ queue, message }: Consumer) => ({
  Records: [
    {
      messageId: "00000000-0000-4000-8000-000000000000",
      receiptHandle: "sample",
      body: JSON.stringify(message.parse(readExample(message, queue))),
      attributes: {
        ApproximateReceiveCount: "1",
        SentTimestamp: "1763596800000",
        SenderId: "sample",
        ApproximateFirstReceiveTimestamp: "1763596800000",
      },
      messageAttributes: {},
      md5OfBody: "",
      eventSource: "aws:sqs",
      eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:Wharf-${queue}`,
      awsRegion: "us-east-1",
    },
  ],
});

/** Returns the event that EventBridge sends to a job's function. */
export const sampleScheduledEvent = ({ operation }: Scheduled) => ({
  version: "0",
  id: "00000000-0000-4000-8000-000000000000",
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: "000000000000",
  time: "2025-11-20T00:00:00Z",
  region: "us-east-1",
  resources: [`arn:aws:events:us-east-1:000000000000:rule/Wharf-${operation}`],
  detail: {},
});

/** Rows of functions with a sample event. */
export type SampleRows = {
  routes: readonly Route[];
  consumers: readonly Consumer[];
  schedules: readonly Scheduled[];
};

/** All sample events, by their file in `events/`. */
export const sampleEvents = ({ routes, consumers, schedules }: SampleRows) =>
  new Map<string, string>([
    ...routes.map((row) => [`${row.operation}.json`, render(sampleHttpEvent(row))] as const),
    ...consumers.map((row) => [`${row.operation}.json`, render(sampleQueueEvent(row))] as const),
    ...schedules.map(
      (row) => [`${row.operation}.json`, render(sampleScheduledEvent(row))] as const,
    ),
  ]);

const render = (event: unknown): string => `${JSON.stringify(event, null, 2)}\n`;
