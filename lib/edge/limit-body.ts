import { payloadTooLarge } from "../platform/http/problems.ts";
import { RawBody } from "../platform/http/raw-body.ts";
import { bodySize } from "../platform/http/request.ts";
import type { Arrived, Link } from "./context.ts";
import type { Row } from "./route.ts";

const maxBodyBytes = 1_048_576;
const maxRawBytes = 4 * 1_048_576;

/** Throws 413 for a body over 1 MiB, or over 4 MiB at an inbound address and for a file. */
export const limitBody = (row: Pick<Row, "inbound" | "body">): Link<Arrived> => {
  const isLarge = row.inbound || row.body === RawBody;
  const largest = isLarge ? maxRawBytes : maxBodyBytes;
  return {
    before: ({ event }) => {
      if (bodySize(event) > largest) throw payloadTooLarge(largest);
    },
  };
};
