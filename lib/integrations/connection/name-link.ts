import { getIntegrationConfig } from "../config/store.ts";
import { readContent } from "../config/to-integration-config.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import type { ConnectionLink } from "./connection-link.ts";

/** Returns the name of what a link connects, for people. */
export const nameLink = async (
  { db }: Pick<ConnectionDeps, "db">,
  { tenant, item }: Pick<ConnectionLink, "tenant" | "item">,
): Promise<string> => {
  const config = await getIntegrationConfig(db, tenant.id, item.integrationConfigId);
  return config ? readContent(config).displayName : "the service";
};
