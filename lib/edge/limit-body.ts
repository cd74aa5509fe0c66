import { payloadTooLarge } from "../platform/http/problems.ts";
import { bodySize } from "../platform/http/request.ts";
import type { Arrived, Link } from "./context.ts";
import type { Row } from "./route.ts";

const largestBodyBytes = 1_048_576;
const largestDeliveryBytes = 4 * 1_048_576;

/** Throws 413 for a body over 1 MiB, or over 4 MiB at an inbound address. */
export const limitBody = (row: Pick<Row, "inbound">): Link<Arrived> => {
  const largest = row.inbound ? largestDeliveryBytes : largestBodyBytes;
  return {
    before: ({ event }) => {
      if (bodySize(event) > largest) throw payloadTooLarge(largest);
    },
  };
};
