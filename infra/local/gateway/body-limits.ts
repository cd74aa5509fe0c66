import { formatInstance } from "../../../lib/edge/instance.ts";
import { bodyLimitFor } from "../../../lib/edge/limit-body.ts";
import { readArrivedPath, toGatewayPath } from "../../../lib/platform/http/gateway-path.ts";
import type { HttpFunctionRecord } from "../../functions/function-records.ts";
import type { Match } from "./router.ts";

/** Members of the response to a body that is too large for the gateway. */
export type TooLarge = { limit: number; instance: string };

/** A request with too large a body. */
export type LargeRequest = { method: string; path: string; match: Match };

/**
 * Returns the limit of the row that a request would have reached, and its path without the secret of that row. A
 * request of no row has the limit of JSON bodies.
 */
export const findBodyLimit = (
  functions: readonly HttpFunctionRecord[],
  { method, path, match: { resource, parameters } }: LargeRequest,
): TooLarge => {
  const verb = readArrivedPath(resource, parameters)?.verb;
  const rows = functions
    .filter((definition) => definition.resource === resource)
    .flatMap((definition) => definition.rows.map((row) => ({ row, method: definition.method })));
  const own = rows.find(
    (row) => row.method === method && toGatewayPath(row.row.path).verb === verb,
  );
  // The path of another method may contain the same secret.
  const { row } = own ?? rows[0] ?? { row: {} };
  return { limit: bodyLimitFor(own?.row ?? {}), instance: formatInstance(row, path) };
};

/** Reads the rows when the first body is too large, since few are: `npm start` spares the time and the memory. */
export const readBodyLimit = async (request: LargeRequest): Promise<TooLarge> => {
  const { product } = await import("../../functions/product.ts");
  return findBodyLimit(product.http, request);
};
