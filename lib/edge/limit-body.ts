import { payloadTooLarge } from "../platform/http/problems.ts";
import { RawBody } from "../platform/http/raw-body.ts";
import { bodySize } from "../platform/http/request.ts";
import type { Arrived, Link } from "./context.ts";
import { FormBody } from "./form-body.ts";
import type { Row } from "./route.ts";

const maxBodyBytes = 1_048_576;
const maxRawBytes = 4 * 1_048_576;

const maxFormBytes = 65_536;

/** Returns the largest body of a row: 1 MiB, 64 KiB for a form, or 4 MiB at an inbound address and for a file. */
export const bodyLimitFor = ({ inbound, body }: Partial<Pick<Row, "inbound" | "body">>): number => {
  if (inbound || body === RawBody) return maxRawBytes;
  return body === FormBody ? maxFormBytes : maxBodyBytes;
};

/** Throws 413 for a body over the row's limit. */
export const limitBody = (row: Pick<Row, "inbound" | "body">): Link<Arrived> => {
  const largest = bodyLimitFor(row);
  return {
    before: ({ event }) => {
      if (bodySize(event) > largest) throw payloadTooLarge(largest);
    },
  };
};
