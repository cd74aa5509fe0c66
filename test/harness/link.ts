import middy from "@middy/core";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { vi } from "vitest";
import * as z from "zod";
import { type Link, toHandler } from "../../lib/edge/context.ts";
import { problemDetails } from "../../lib/edge/problem-details.ts";
import { requestContext } from "../../lib/edge/request-context.ts";
import { createDefineRoute, type Route } from "../../lib/edge/route.ts";
import { sampleHttpEvent } from "../suites/sample-event.ts";
import { testRuntime } from "./runtime.ts";

const Body = z.unknown();

/** A row to run middlewares with. */
export const linkRow = createDefineRoute("test")({
  operation: "make-thing",
  method: "POST",
  path: "/v1/tenants/{tenant}/things/{thing}",
  summary: "Make a thing",
  scope: "agents:write",
  params: { thing: z.string().meta({ example: "a" }) },
  body: z.object({ name: z.string() }).meta({ example: { name: "n" } }),
  response: { status: 200, schema: z.object({ name: z.string() }) },
});

/** Runs one middleware after those that complete a response; `known` are the results of earlier ones. */
export const runLink = async <Known>(
  link: Link<Known>,
  {
    known = {},
    event = {},
    row = linkRow,
    work = () => ({ status: 200, headers: {}, body: "{}" }),
  }: {
    known?: object;
    event?: object;
    row?: Route;
    work?: (context: object) => unknown;
  } = {},
) => {
  vi.stubEnv("POWERTOOLS_DEV", "true");
  const context = { awsRequestId: "lambda", getRemainingTimeInMillis: () => 1_000, ...known };
  const handler = toHandler(
    middy<APIGatewayProxyEvent>({ timeoutEarlyInMillis: 0 })
      .use(requestContext(row, testRuntime()))
      .use(problemDetails(row))
      .use(link)
      .handler((_, after) => work(after)),
  );
  const sent = z.custom<APIGatewayProxyEvent>().parse({ ...sampleHttpEvent(row), ...event });
  const { statusCode, headers, body } = await handler(sent, context);
  const problem = z
    .looseObject({ type: z.string().optional() })
    .parse(Body.parse(JSON.parse(body)));
  return {
    status: statusCode,
    headers,
    slug: problem.type?.replace("/problems/", ""),
    problem,
    context: z.looseObject({}).parse(context),
  };
};
