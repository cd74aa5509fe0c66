import * as z from "zod";
import { validationFailed } from "../../platform/http/problems.ts";
import type { Headers } from "../../platform/http/request.ts";
import type { Route } from "../route.ts";

/** Request header that identifies a request across retries. */
export const idempotencyKeyHeader = "Idempotency-Key";
/** Response header of a replayed response. */
export const replayedHeader = "Idempotency-Replayed";

/** Retention of an outcome, in milliseconds. */
export const retentionMs = 24 * 60 * 60 * 1_000;

/** A client's key. */
export const IdempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/, "must be 1 to 255 printable ASCII characters")
  .meta({
    description:
      "A unique key for this request. A repeated request by the same caller within 24 hours returns the response of the first one and has no other effect. The response of a refused request is not stored.",
    example: "order-4711",
  });

/** Returns whether a row supports the header: POST and PATCH with credentials. */
export const takesIdempotencyKey = ({ scope, method }: Pick<Route, "scope" | "method">): boolean =>
  scope !== "public" && (method === "POST" || method === "PATCH");

/** Returns the client's key; undefined without one. Throws 400 for an invalid key or several keys. */
export const readIdempotencyKey = (headers: Headers): string | undefined => {
  const [key, ...more] = headers.get(idempotencyKeyHeader.toLowerCase()) ?? [];
  if (key === undefined) return undefined;
  const detail =
    more.length > 0
      ? "is given more than once"
      : IdempotencyKey.safeParse(key).error?.issues[0]?.message;
  if (detail === undefined) return key;
  throw validationFailed([{ pointer: `header/${idempotencyKeyHeader}`, detail }]);
};
