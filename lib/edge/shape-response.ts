import type { Arrived, Link } from "./context.ts";
import { toHttpResponse } from "./respond.ts";
import type { Row } from "./route.ts";

/** Converts the handler's output to the row's declared response. Throws when its shape differs. */
export const shapeResponse = (row: Pick<Row, "response" | "protocol">): Link<Arrived> => ({
  after: (request) => {
    request.response = toHttpResponse(row, request.response, request.context.headers);
  },
});
