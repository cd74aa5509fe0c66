import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { provideSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import { readOAuth } from "./oauth-settings.ts";
import type { IntegrationContent } from "./schemas.ts";

/** Makes the secret of the tenant's links to consent pages, for a config with OAuth 2. Executions sign links with it. */
export const provideLinkSecret = async (
  deps: { db: Database; sealer: Sealer },
  {
    ctx: { tenant, randomBytes, baseUrl },
    content: { auth },
  }: {
    ctx: Pick<TenantContext, "tenant" | "randomBytes" | "baseUrl">;
    content: Pick<IntegrationContent, "auth">;
  },
): Promise<void> => {
  if (!readOAuth(auth)) return;
  const purpose = "connection-links";
  await provideSigningSecret(deps, { tenantId: tenant.id, purpose, randomBytes, baseUrl });
};
