import type { Row } from "./route.ts";

/**
 * Returns the `instance` of a problem: the request's path, without the secret at the end of some. Of an inbound path,
 * which may end with a key, it is `/v1/tenants/t/webhooks/p/id`.
 */
export const formatInstance = (
  { inbound, signed }: Partial<Pick<Row, "inbound" | "signed">>,
  path: string,
) => {
  if (inbound) return path.split("/").slice(0, 7).join("/");
  return signed ? path.split("/").slice(0, -1).join("/") : path;
};
