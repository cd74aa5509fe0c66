import { routeMatcher } from "../platform/http/match-route.ts";
import { pathTooLong } from "../platform/http/problems.ts";
import { resourceMethods } from "../platform/runtime/env.ts";
import type { Link, Routed } from "./context.ts";
import type { Row } from "./row.ts";

/** Characters of a path as it was sent; no id or key comes near. */
const longestPath = 2_048;

/** Checks that the call is for this row and reads the path's variables. Throws 400, 404 and 405. */
export const matchRoute = (row: Row): Link<Routed> => {
  const match = routeMatcher(row);
  return {
    before: ({ event, context }) => {
      if (event.path.length > longestPath) throw pathTooLong(longestPath);
      context.pathValues = match(event, resourceMethods());
    },
  };
};
