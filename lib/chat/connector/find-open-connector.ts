import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ConnectorItem } from "./items.ts";
import { getConnector } from "./store.ts";

/** Finds a connector that is active and has another policy than `DenyAll`; undefined without one. */
export const findOpenConnector = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
): Promise<ConnectorItem | undefined> => {
  const connector = await getConnector(db, tenantId, connectorId);
  return connector?.active && connector.policy !== "DenyAll" ? connector : undefined;
};
