import middy from "@middy/core";
import type { APIGatewayProxyEvent } from "aws-lambda";
import { type Runtime, systemRuntime } from "../platform/runtime/runtime.ts";
import { type HttpHandler, toHandler } from "./context.ts";
import { limitBody } from "./limit-body.ts";
import { matchRoute } from "./match-route.ts";
import { parseRequest } from "./parse-request.ts";
import { problemDetails } from "./problem-details.ts";
import { requestContext } from "./request-context.ts";
import type { RouteResponse } from "./respond.ts";
import type { PublicRouteRequest, Row } from "./route.ts";
import { shapeResponse } from "./shape-response.ts";

/** Creates the Lambda handler of a row that needs no credentials. Its bundle contains no storage or authentication code. */
export const publicEndpoint = <R extends Row & { scope: "public" }>(
  row: R,
  handle: (request: PublicRouteRequest<R>) => Promise<RouteResponse<R>> | RouteResponse<R>,
  runtime: Runtime = systemRuntime,
): HttpHandler =>
  toHandler(
    middy<APIGatewayProxyEvent>({ timeoutEarlyInMillis: 0 })
      .use(requestContext(row, runtime))
      .use(problemDetails(row))
      .use(matchRoute(row))
      .use(limitBody(row))
      .use(parseRequest(row))
      .use(shapeResponse(row))
      .handler((_, { input, headers, call }) => handle({ ...input, headers, ctx: call })),
  );
