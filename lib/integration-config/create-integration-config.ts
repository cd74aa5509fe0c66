import type { Database } from "../db/database.ts";
import type { Sealer } from "../db/seal.ts";
import type { TenantContext } from "../http/endpoint.ts";
import { newUuid } from "../runtime/runtime.ts";
import { checkContent } from "./check-content.ts";
import { maskCredentials, sealCredentials, unmask } from "./credentials.ts";
import type { CreateIntegrationConfigBody, IntegrationContent } from "./schemas.ts";
import { type IntegrationConfigItem, putNewIntegrationConfig } from "./store.ts";

/** Creates a config with its revision 1, which is not published. Throws 400. */
export const createIntegrationConfig = async ({
  ctx,
  input,
  deps: { db, sealer },
}: {
  ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal">;
  input: CreateIntegrationConfigBody;
  deps: { db: Database; sealer: Sealer };
}): Promise<IntegrationConfigItem> => {
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
  const createdAt = ctx.clock();
  const kept = {
    content: JSON.stringify(withMasks(content)),
    secrets: await sealCredentials(sealer, tenantId, id, credentials),
  };
  const item: IntegrationConfigItem = {
    id,
    integrationId: input.integrationId,
    latestRevision: 1,
    publishedRevision: null,
    createdAt,
    modifiedAt: createdAt,
    ...kept,
  };
  await putNewIntegrationConfig(db, tenantId, item, {
    configId: id,
    revision: 1,
    createdAt,
    createdBy: ctx.principal.id,
    ...kept,
  });
  return item;
};

/** The content as it is kept in the open: a mask for each credential. */
export const withMasks = (content: IntegrationContent): IntegrationContent => ({
  ...content,
  auth: content.auth && {
    ...content.auth,
    parameters: maskCredentials(content.auth.parameters),
  },
});
