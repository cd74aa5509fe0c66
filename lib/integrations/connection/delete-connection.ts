import type { TenantId } from "../../platform/db/tenant-id.ts";
import { upstreamProblem } from "../../platform/http/upstream-problem.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { readPublishedConfig } from "../config/read-published-config.ts";
import { getIntegrationConfig } from "../config/store.ts";
import { type ConnectionDeps, chooseClient, chooseIdentityClient } from "./connection-deps.ts";
import { revokeGranted } from "./revoke-granted.ts";
import { openTokens } from "./seal-tokens.ts";
import { requireConnection } from "./show-connection.ts";
import {
  type ConnectionItem,
  getConnection,
  listAllConnections,
  removeConnection,
  revokeConnectionItem,
} from "./store.ts";

/**
 * Deletes a connection, which no call uses from the start, and revokes its tokens. Where the server cannot be reached, or refuses, it
 * stays as `Revoked`; a second call then deletes it in any case. Throws 404, 502 and 504.
 */
export const deleteConnection = async (
  deps: ConnectionDeps,
  { tenantId, connectionId }: { tenantId: TenantId; connectionId: string },
): Promise<void> => {
  const { db, runtime } = deps;
  const item = await requireConnection(deps, { tenantId, connectionId });
  const isSecond = item.status === "Revoked";
  if (!isSecond) await revokeConnectionItem(db, tenantId, item, runtime.clock());
  try {
    // A refresh may have stored other tokens since the first read.
    const latest = await getConnection(db, tenantId, connectionId);
    await revokeStored(deps, tenantId, latest?.serial === item.serial ? latest : item);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    if (!isSecond) throw upstreamProblem(error);
    log("connection-not-revoked", { connectionId, error: asError(error) });
  }
  await removeConnection(db, tenantId, item);
};

/**
 * Revokes the tokens of all connections of a deleted config, as far as their servers can be reached, and deletes them. Nothing
 * for a config that exists.
 */
export const purgeConnections = async (
  deps: ConnectionDeps,
  { tenantId, configId }: { tenantId: TenantId; configId: string },
): Promise<void> => {
  const { db } = deps;
  if (await getIntegrationConfig(db, tenantId, configId)) return;
  for await (const item of listAllConnections(db, tenantId, configId)) {
    try {
      await revokeStored(deps, tenantId, item);
    } catch (error) {
      log("connection-not-revoked", { connectionId: item.id, error: asError(error) });
    }
    await removeConnection(db, tenantId, item);
  }
};

const revokeStored = async (
  deps: ConnectionDeps,
  tenantId: TenantId,
  { id, tokens, integrationConfigId: configId, target }: ConnectionItem,
): Promise<void> => {
  if (!tokens) return;
  const opened = await openTokens(deps.sealer, tenantId, { id, tokens });
  const { client: stored, signIn } = opened;
  const hasCredentials = [stored, ...(signIn ? [signIn.client] : [])].some(
    ({ secret, privateKey }) => secret !== null || privateKey !== null,
  );
  const config = hasCredentials
    ? await readPublishedConfig(deps, { tenantId, configId })
    : undefined;
  const { oauth } = config ?? {};
  const current = oauth?.target === target ? oauth : undefined;
  await revokeGranted(deps, {
    ...opened,
    client: current ? chooseClient(current, stored) : stored,
    signIn:
      signIn && current
        ? { ...signIn, client: chooseIdentityClient(current, signIn.client) }
        : signIn,
  });
};
