import { parseRequest as parse } from "../platform/http/parse-request.ts";
import type { Link, Routed } from "./context.ts";
import type { InputOf, Row } from "./row.ts";

/** Set by `parseRequest`. */
export type Parsed<R extends Row> = Routed & { input: InputOf<R> };

/** Parses path, query and body by the row's schemas. Throws 400 with every place that does not fit, and 415. */
export function parseRequest<R extends Row>(row: R): Link<Parsed<R>>;
export function parseRequest(row: Row): Link<Parsed<Row>> {
  return {
    before: ({ event, context }) => {
      context.input = parse(row, event, context.headers, context.pathValues);
    },
  };
}
