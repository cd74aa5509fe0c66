import { payloadTooLarge } from "../platform/http/problems.ts";
import { RawBody } from "../platform/http/raw-body.ts";
import { bodySize } from "../platform/http/request.ts";
import type { Arrived, Link } from "./context.ts";
import type { Row } from "./route.ts";

const maxBodyBytes = 1_048_576;
const maxRawBytes = 4 * 1_048_576;

/** Returns the largest body of a row: 1 MiB, or 4 MiB at an inbound address and for a file. */
export const bodyLimitFor = ({ inbound, body }: Partial<Pick<Row, "inbound" | "body">>): number =>
  inbound || body === RawBody ? maxRawBytes : maxBodyBytes;

/** Throws 413 for a body over the row's limit. */
export const limitBody = (row: Pick<Row, "inbound" | "body">): Link<Arrived> => {
  const largest = bodyLimitFor(row);
  return {
    before: ({ event }) => {
      if (bodySize(event) > largest) throw payloadTooLarge(largest);
    },
  };
};
