import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict } from "../../platform/http/problems.ts";
import { upstreamProblem } from "../../platform/http/upstream-problem.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { asksPerson } from "../config/oauth-settings.ts";
import { readOAuthConfig } from "./begin-consent.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import { refreshConnection } from "./refresh-connection.ts";
import { requireConnection } from "./show-connection.ts";
import type { ConnectionItem } from "./store.ts";

/**
 * Refreshes the tokens of a connection now. Returns it as it is then: where the server refuses `Expired`, or `Failed` if it needs
 * no person. Throws 404, 409 for one that is not active or has no refresh token, 502 and 504.
 */
export const refreshNow = async (
  deps: ConnectionDeps,
  {
    tenantId,
    connectionId,
    signal,
  }: { tenantId: TenantId; connectionId: string; signal: AbortSignal },
): Promise<ConnectionItem> => {
  const item = await requireConnection(deps, { tenantId, connectionId });
  const config = await readOAuthConfig(deps, { tenantId, configId: item.integrationConfigId });
  const { oauth } = config;
  const { tokens, status, isRefreshable, target } = item;
  if (status !== "Active" || !tokens) throw conflict(`The connection is not active: ${status}.`);
  if (target !== oauth.target) throw conflict("The config has changed: consent is needed again.");
  if (!isRefreshable && asksPerson(oauth)) {
    throw conflict("The authorization server gave no refresh token.");
  }
  try {
    await refreshConnection(deps, { config, seen: { ...item, tokens }, signal });
  } catch (error) {
    if (error instanceof UpstreamError) throw upstreamProblem(error);
    throw error;
  }
  return requireConnection(deps, { tenantId, connectionId });
};
