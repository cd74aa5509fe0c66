import middy from "@middy/core";
import type { APIGatewayProxyEvent } from "aws-lambda";
import type { CountDeps } from "../platform/auth/count-requests.ts";
import type { Database } from "../platform/db/database.ts";
import { systemRuntime } from "../platform/runtime/runtime.ts";
import { connectTable } from "./connect-table.ts";
import { type HttpHandler, toHandler } from "./context.ts";
import { limitBody } from "./limit-body.ts";
import { limitRequests } from "./limit-requests.ts";
import { matchRoute } from "./match-route.ts";
import { parseRequest } from "./parse-request.ts";
import { problemDetails } from "./problem-details.ts";
import { requestContext } from "./request-context.ts";
import type { RouteResponse } from "./respond.ts";
import type { PublicRouteRequest, Row } from "./route.ts";
import { shapeResponse } from "./shape-response.ts";

/**
 * Returns the creator of Lambda handlers of addresses to which another server sends a browser back. The handler checks what
 * the browser brings; a refused call counts against its source address.
 */
export const createCallbackEndpoint =
  ({ database, limits }: { database: () => Database; limits: () => CountDeps["limits"] }) =>
  <R extends Row & { scope: "public" }>(
    row: R,
    handle: (request: PublicRouteRequest<R>) => Promise<RouteResponse<R>>,
  ): HttpHandler =>
    toHandler(
      middy<APIGatewayProxyEvent>({ timeoutEarlyInMillis: 0 })
        .use(requestContext(row, systemRuntime))
        .use(connectTable(database))
        .use(problemDetails(row))
        .use(matchRoute(row))
        .use(limitBody(row))
        .use(limitRequests(limits))
        .use(parseRequest(row))
        .use(shapeResponse(row))
        .handler((_, { input, headers, call }) => handle({ ...input, headers, ctx: call })),
    );
