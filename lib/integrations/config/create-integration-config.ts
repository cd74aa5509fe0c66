import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { tooManyKeys } from "../../tenancy/api-key/key-count.ts";
import type { AuditContext } from "../../tenancy/audit/describe-call.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { describeUnknownIntegration } from "../catalog/integration-ids.ts";
import { agentsOffered, authorizeOffer } from "./authorize-offer.ts";
import { checkAddresses } from "./check-addresses.ts";
import { checkContent, checkOffer, checkSettings } from "./check-content.ts";
import { checkOffered, type FindAgents } from "./check-offered.ts";
import { checkParameterNames } from "./check-parameter-names.ts";
import { joinCredentials, toStoredContent, unmask } from "./credentials.ts";
import { keepKey, mintKey, publishKeyChange } from "./dedicated-key.ts";
import { checkOAuth, completeOAuth } from "./oauth-settings.ts";
import { provideLinkSecret } from "./provide-link-secret.ts";
import type { CreateIntegrationConfigBody, IntegrationContent } from "./schemas.ts";
import { type IntegrationConfigItem, putNewIntegrationConfig } from "./store.ts";
import type { ShownConfig } from "./to-integration-config.ts";

/**
 * Creates a config with an unpublished revision 1, and with a dedicated key if it exposes MCP. Throws 400, 403 when
 * the caller may not run the agents that it offers, and 409 at the limit of active keys.
 */
export const createIntegrationConfig = async (
  {
    db,
    sealer,
    outgoing,
    prefix,
    send,
    findAgents,
  }: {
    db: Database;
    sealer: Sealer;
    outgoing: OutgoingOptions;
    prefix: string;
    send: Send;
    findAgents: FindAgents;
  },
  {
    ctx,
    body,
  }: {
    ctx: AuditContext & Pick<TenantContext, "tenant" | "baseUrl">;
    body: CreateIntegrationConfigBody;
  },
): Promise<ShownConfig> => {
  const tenantId = ctx.tenant.id;
  const id = newUuid(ctx);
  const { auth } = body;
  const parameters = unmask(auth?.parameters ?? {}, {});
  const credentials = unmask(joinCredentials(parameters, auth ?? {}), {});
  const content: IntegrationContent = {
    displayName: body.displayName ?? body.integrationId,
    parameters: body.parameters ?? {},
    auth: auth
      ? {
          integrationAuthMetadataId: auth.integrationAuthMetadataId ?? null,
          parameters,
          ...completeOAuth(auth),
        }
      : null,
    authMap: body.authMap ?? [],
  };
  const unknown = describeUnknownIntegration(body.integrationId);
  if (unknown) throw validationFailed([{ pointer: "/integrationId", detail: unknown }]);
  checkContent(content);
  checkParameterNames(body.integrationId, content.parameters);
  checkSettings(body.integrationId, content);
  checkOAuth(body.integrationId, auth, outgoing);
  await checkAddresses(body.integrationId, content.parameters, { tenantId, outgoing });
  if (body.exposeMcp) {
    checkOffer(content);
    await checkOffered(body.integrationId, content, (ids) => findAgents(tenantId, ids));
    await authorizeOffer(db, ctx, agentsOffered({ content: JSON.stringify(content) }));
  }
  await provideLinkSecret({ db, sealer }, { ctx, content });
  const createdAt = ctx.clock();
  const stored = await toStoredContent(sealer, tenantId, id, { content, credentials });
  const unexposed: IntegrationConfigItem = {
    id,
    integrationId: body.integrationId,
    latestRevision: 1,
    publishedRevision: null,
    createdAt,
    modifiedAt: createdAt,
    ...stored,
  };
  const createdBy = ctx.principal.id;
  const revision = { configId: id, revision: 1, createdAt, createdBy, ...stored };
  const { displayName } = content;
  return retryOnConflict({ attempts: 3, error: () => tooManyKeys() }, async () => {
    const mcp = body.exposeMcp
      ? await mintKey(db, ctx, prefix, { id, displayName })
      : keepKey(undefined);
    const item = { ...unexposed, mcpKeyId: mcp.keyId };
    const outcome = await putNewIntegrationConfig(db, tenantId, item, {
      revision,
      more: mcp.more,
    });
    if (outcome === "changed") return outcome;
    await publishKeyChange(send, mcp);
    return { ...item, mcpSecret: mcp.mcpSecret };
  });
};
