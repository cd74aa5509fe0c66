import { readArrivedPath, toGatewayPath } from "../platform/http/gateway-path.ts";
import {
  methodNotAllowed,
  pathTooLong,
  unknownRoute,
  validationFailed,
} from "../platform/http/problems.ts";
import { resourceMethods } from "../platform/runtime/env.ts";
import type { Link, Routed } from "./context.ts";
import type { Row } from "./route.ts";
import { describeUnknownPath } from "./unknown-path.ts";

/** Maximum length of a path as it was sent; ids and keys are far shorter. */
const maxPathLength = 2_048;

/**
 * Checks that the call is for this row and decodes the path's variables by the row's names. Throws 400; 404 for
 * another verb and for a path without a route; 405 for another method.
 */
export const matchRoute = (row: Pick<Row, "method" | "path">): Link<Routed> => {
  const own = toGatewayPath(row.path);
  return {
    before: ({ event, context }) => {
      if (event.path.length > maxPathLength) throw pathTooLong(maxPathLength);
      if (event.resource !== own.resource) throw describeUnknownPath(event.path);
      const arrived = readArrivedPath(own.resource, event.pathParameters);
      if (!arrived) {
        throw validationFailed([{ pointer: "path", detail: "is not percent-encoded UTF-8" }]);
      }
      if (arrived.verb !== own.verb || event.httpMethod !== row.method) {
        const methods = resourceMethods();
        const allowed = Object.hasOwn(methods, arrived.verb) ? methods[arrived.verb] : undefined;
        throw allowed ? methodNotAllowed(allowed) : unknownRoute();
      }
      const entries = own.names.map((name, at) => [name, arrived.values[at] ?? ""]);
      context.pathValues = Object.fromEntries(entries);
    },
  };
};
