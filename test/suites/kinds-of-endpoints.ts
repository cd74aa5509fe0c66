import { routes } from "../../functions/routes.ts";
import type { Route } from "../../lib/edge/route.ts";

const deriveKind = ({
  scope,
  inbound,
  signed,
  protocol,
  streaming,
  body,
  maxBodyBytes,
}: Route): string =>
  [
    scope === "public",
    inbound,
    signed,
    protocol,
    streaming !== undefined,
    body !== undefined,
    maxBodyBytes,
  ].join();

/**
 * Whether a row is the first of its kind of endpoint. The edge treats all rows of a kind alike: checks that do not
 * depend on the row are tested at one row of each kind.
 */
export const isFirstOfKind = (row: Route): boolean =>
  routes.find((route) => deriveKind(route) === deriveKind(row)) === row;
