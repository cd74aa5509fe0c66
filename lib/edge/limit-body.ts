import { payloadTooLarge } from "../platform/http/problems.ts";
import { RawBody } from "../platform/http/raw-body.ts";
import { bodySize } from "../platform/http/request.ts";
import type { Arrived, Link } from "./context.ts";
import { FormBody } from "./form-body.ts";
import type { Row } from "./route.ts";

const maxJsonBytes = 1_048_576;
const maxRawBytes = 4 * 1_048_576;

const maxFormBytes = 65_536;

type LimitedRow = Partial<Pick<Row, "inbound" | "body" | "maxBodyBytes">>;

/**
 * Returns the largest body of a row: its own limit, or else 4 MiB at an inbound address and for a file, 64 KiB for a form, and 1
 * MiB for others.
 */
export const bodyLimitFor = ({ inbound, body, maxBodyBytes }: LimitedRow): number => {
  if (maxBodyBytes !== undefined) return maxBodyBytes;
  if (inbound || body === RawBody) return maxRawBytes;
  return body === FormBody ? maxFormBytes : maxJsonBytes;
};

/** Throws 413 for a body over the row's limit. */
export const limitBody = (row: LimitedRow): Link<Arrived> => {
  const largest = bodyLimitFor(row);
  return {
    before: ({ event }) => {
      if (bodySize(event) > largest) throw payloadTooLarge(largest);
    },
  };
};
