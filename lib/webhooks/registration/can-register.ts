import { isRegistrarId, type RegistrarId } from "../../integrations/catalog/registrar-ids.ts";
import { findPublishedConfig } from "../../integrations/config/published-store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { WebhookItem } from "../webhook/items.ts";

/** Providers whose listeners belong to what `externalContext` names, such as a repository. */
const needsContext: ReadonlySet<RegistrarId> = new Set(["github", "gitlab", "jira"]);

/**
 * Finds the tenant's oldest published config that can register a webhook's listener; undefined when there is none, or
 * the webhook does not say where: its owner then registers the URL. At most one small read.
 */
export const findRegistration = async (
  db: Database,
  tenantId: TenantId,
  { provider, externalContext }: Pick<WebhookItem, "provider" | "externalContext">,
): Promise<{ configId: string } | undefined> => {
  if (!isRegistrarId(provider)) return undefined;
  if (needsContext.has(provider) && !externalContext) return undefined;
  const configId = await findPublishedConfig(db, tenantId, provider);
  return configId === undefined ? undefined : { configId };
};
