import type { Link } from "./context.ts";
import { toAnswer } from "./respond.ts";
import type { Row } from "./row.ts";

/** Turns what the handler returned into the row's declared response. Throws when it is of another shape. */
export const shapeResponse = (row: Pick<Row, "response">): Link<unknown> => ({
  after: (request) => {
    request.response = toAnswer(row, request.response);
  },
});
