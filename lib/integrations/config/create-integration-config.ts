import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { AuditContext } from "../../tenancy/api-key/audit-event.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { agentsOffered, authorizeOffer } from "./authorize-offer.ts";
import { checkContent, checkOffer, checkSettings } from "./check-content.ts";
import { checkOffered, type FindAgents } from "./check-offered.ts";
import { checkParameterNames } from "./check-parameter-names.ts";
import { toStoredContent, unmask } from "./credentials.ts";
import { keepKey, mintKey, publishKeyChange } from "./dedicated-key.ts";
import type { CreateIntegrationConfigBody, IntegrationContent } from "./schemas.ts";
import { type IntegrationConfigItem, putNewIntegrationConfig } from "./store.ts";
import type { ShownConfig } from "./to-integration-config.ts";

/**
 * Creates a config with an unpublished revision 1, and with a dedicated key if it exposes MCP. Throws 400, and
 * 403 when the caller may not run the agents that it offers.
 */
export const createIntegrationConfig = async ({
  ctx,
  input,
  deps: { db, sealer, prefix, send, findAgents },
}: {
  ctx: AuditContext & Pick<TenantContext, "tenant">;
  input: CreateIntegrationConfigBody;
  deps: { db: Database; sealer: Sealer; prefix: string; send: Send; findAgents: FindAgents };
}): Promise<ShownConfig> => {
  const tenantId = ctx.tenant.id;
  const id = newUuid(ctx);
  const credentials = unmask(input.auth?.parameters ?? {}, {});
  const content: IntegrationContent = {
    displayName: input.displayName ?? input.integrationId,
    parameters: input.parameters ?? {},
    auth: input.auth
      ? {
          integrationAuthMetadataId: input.auth.integrationAuthMetadataId ?? null,
          parameters: credentials,
        }
      : null,
    authMap: input.authMap ?? [],
  };
  checkContent(content);
  checkParameterNames(input.integrationId, content.parameters);
  checkSettings(input.integrationId, content);
  if (input.exposeMcp) {
    checkOffer(content);
    await checkOffered(input.integrationId, content, (ids) => findAgents(tenantId, ids));
    await authorizeOffer(db, ctx, agentsOffered({ content: JSON.stringify(content) }));
  }
  const { displayName } = content;
  const mcp = input.exposeMcp ? mintKey(ctx, prefix, { id, displayName }) : keepKey(undefined);
  const createdAt = ctx.clock();
  const stored = await toStoredContent(sealer, tenantId, id, { content, credentials });
  const item: IntegrationConfigItem = {
    id,
    integrationId: input.integrationId,
    latestRevision: 1,
    publishedRevision: null,
    createdAt,
    modifiedAt: createdAt,
    mcpKeyId: mcp.keyId,
    ...stored,
  };
  const createdBy = ctx.principal.id;
  const revision = { configId: id, revision: 1, createdAt, createdBy, ...stored };
  await putNewIntegrationConfig(db, tenantId, item, { revision, more: mcp.more });
  await publishKeyChange(send, mcp);
  return { ...item, mcpSecret: mcp.mcpSecret };
};
