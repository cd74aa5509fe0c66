import { newUuid } from "../../platform/runtime/runtime.ts";
import type { ConnectionDeps, OAuthConfig } from "./connection-deps.ts";
import { type ConnectionOwner, deriveConnectionId } from "./connection-owner.ts";
import { type ConnectionItem, getConnection, putNewConnection } from "./store.ts";

/** Returns the connection of an owner, made if there is none: of concurrent callers all get the one that was written. */
export const provideConnection = async (
  { db, runtime }: Pick<ConnectionDeps, "db" | "runtime">,
  {
    tenantId,
    configId,
    owner,
  }: Pick<OAuthConfig, "tenantId" | "configId"> & { owner: ConnectionOwner },
): Promise<{ item: ConnectionItem; isNew: boolean }> => {
  const id = deriveConnectionId(configId, owner);
  const known = await getConnection(db, tenantId, id);
  if (known) return { item: known, isNew: false };
  const now = runtime.clock();
  const item: ConnectionItem = {
    id,
    integrationConfigId: configId,
    ownerType: owner.type,
    ...(owner.type !== "Tenant" && { ownerId: owner.id }),
    serial: newUuid(runtime),
    status: "Pending",
    scopes: [],
    error: null,
    createdAt: now,
    modifiedAt: now,
    connectedAt: null,
    expiresAt: null,
    refreshAt: null,
    isRefreshable: false,
    version: 0,
  };
  if (await putNewConnection(db, tenantId, item)) return { item, isNew: true };
  const written = await getConnection(db, tenantId, id);
  if (!written) throw new Error(`the connection ${id} was deleted as it was created`);
  return { item: written, isNew: false };
};
