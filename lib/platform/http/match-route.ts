import type { APIGatewayProxyEvent } from "aws-lambda";
import { readArrivedPath, toGatewayPath } from "./gateway-path.ts";
import { methodNotAllowed, unknownRoute, validationFailed } from "./problems.ts";
import type { Method } from "./row.ts";

/** Methods by verb at one gateway resource; "" is the resource without a verb. */
export type ResourceMethods = Readonly<Record<string, readonly string[]>>;

/**
 * Checks that a request is for this row and reads its path variables, decoded, by the row's names.
 * A function also hears what the gateway could not tell apart: other methods (405), other verbs, and,
 * where it stands behind the catch-all, paths that are no route (404).
 */
export const routeMatcher = (row: { method: Method; path: string }) => {
  const own = toGatewayPath(row.path);
  return (
    event: Pick<APIGatewayProxyEvent, "resource" | "httpMethod" | "pathParameters">,
    methods: ResourceMethods,
  ): Readonly<Record<string, string>> => {
    if (event.resource !== own.resource) throw unknownRoute();
    const arrived = readArrivedPath(own.resource, event.pathParameters);
    if (!arrived) {
      throw validationFailed([{ pointer: "path", detail: "is not percent-encoded UTF-8" }]);
    }
    if (arrived.verb !== own.verb || event.httpMethod !== row.method) {
      const allowed = Object.hasOwn(methods, arrived.verb) ? methods[arrived.verb] : undefined;
      throw allowed ? methodNotAllowed(allowed) : unknownRoute();
    }
    return Object.fromEntries(own.names.map((name, at) => [name, arrived.values[at] ?? ""]));
  };
};
