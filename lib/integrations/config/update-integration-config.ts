import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound, validationFailed } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { AuditContext } from "../../tenancy/api-key/audit-event.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { agentsOffered, agentsPublished, authorizeOffer } from "./authorize-offer.ts";
import { checkContent, checkOffer, checkSettings } from "./check-content.ts";
import { checkDestination } from "./check-destination.ts";
import { withMasks } from "./create-integration-config.ts";
import {
  type Credentials,
  keepsAny,
  openCredentials,
  sealCredentials,
  unmask,
} from "./credentials.ts";
import { type KeyChange, keepKey, mintKey, revokeKey, tellKeyChange } from "./dedicated-key.ts";
import type { IntegrationContent, UpdateIntegrationConfigBody } from "./schemas.ts";
import {
  getIntegrationConfig,
  type IntegrationConfigItem,
  type IntegrationRevisionItem,
  putDedicatedKey,
  putNextIntegrationRevision,
} from "./store.ts";
import { readContent, type ShownConfig } from "./to-integration-config.ts";

const attempts = 25;
const longestPauseMs = 300;

/**
 * Makes the next revision of a config, unless `exposeMcp` is all that was sent; numbers go up by one, without
 * gaps, however many are made at once. What is published stays. Its dedicated key is minted when it begins to expose MCP, and revoked when it no
 * longer does. Throws 404, and 400 for another integration, for a mask where nothing is stored, and for
 * another address with stored credentials, and 403 for agents that the caller could not run and would newly offer.
 */
export const updateIntegrationConfig = async ({
  ctx,
  input: { configId, body },
  deps,
}: {
  ctx: AuditContext & Pick<TenantContext, "tenant">;
  input: { configId: string; body: UpdateIntegrationConfigBody };
  deps: { db: Database; sealer: Sealer; prefix: string; send: Send };
}): Promise<ShownConfig> => {
  const tenantId = ctx.tenant.id;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = await getIntegrationConfig(deps.db, tenantId, configId);
    if (!before) throw notFound("integration config", configId);
    requireSameIntegration(before, body);
    const next = isContent(body) ? await changed(deps.sealer, tenantId, before, body) : before;
    const mcp = await changedKey(deps, ctx, { before, next, exposeMcp: body.exposeMcp });
    const modifiedAt = ctx.clock();
    const { keyId: mcpKeyId, mcpSecret } = mcp;
    const after = { ...before, ...next, modifiedAt, mcpKeyId };
    if (next !== before) after.latestRevision += 1;
    const outcome =
      next === before
        ? await putDedicatedKey(deps.db, tenantId, before, { ...mcp, now: modifiedAt })
        : await putNextIntegrationRevision(deps.db, tenantId, revisionOf(after, ctx), {
            ...mcp,
            keyBefore: before.mcpKeyId,
          });
    if (outcome === "written") {
      await tellKeyChange(deps.send, mcp);
      return { ...after, mcpSecret };
    }
    await sleep((attempt / attempts) * longestPauseMs * Math.random());
  }
  throw conflict("Too many revisions of this config are being made at once. Try again.");
};

/** Whether anything was sent that is part of a revision; an empty body makes one, too. */
const isContent = ({
  integrationId,
  exposeMcp,
  ...content
}: UpdateIntegrationConfigBody): boolean =>
  exposeMcp === undefined || Object.values(content).some((member) => member !== undefined);

/** The revision that a config is as of. */
const revisionOf = (
  { id, latestRevision, modifiedAt, content, secrets }: IntegrationConfigItem,
  { principal }: AuditContext,
): IntegrationRevisionItem => ({
  configId: id,
  revision: latestRevision,
  createdAt: modifiedAt,
  createdBy: principal.id,
  content,
  secrets,
});

const changedKey = async (
  { db, prefix }: { db: Database; prefix: string },
  ctx: AuditContext & Pick<TenantContext, "tenant">,
  {
    before,
    next,
    exposeMcp = before.mcpKeyId !== undefined,
  }: { before: IntegrationConfigItem; next: Kept; exposeMcp: boolean | undefined },
): Promise<KeyChange> => {
  const { id, mcpKeyId } = before;
  if (!exposeMcp) return mcpKeyId === undefined ? keepKey(undefined) : revokeKey(db, ctx, mcpKeyId);
  const content = readContent(next);
  checkOffer(content);
  if (mcpKeyId === undefined) {
    const published = await agentsPublished(db, ctx, before);
    await authorizeOffer(db, ctx, [...agentsOffered(next), ...published]);
  } else {
    await authorizeOffer(db, ctx, agentsOffered(next), agentsOffered(before));
  }
  const { displayName } = content;
  return mcpKeyId === undefined ? mintKey(ctx, prefix, { id, displayName }) : keepKey(mcpKeyId);
};

type Kept = Pick<IntegrationConfigItem, "content" | "secrets">;

/** What the next revision keeps: the content with masks, and the credentials sealed. */
const changed = async (
  sealer: Sealer,
  tenantId: TenantId,
  item: IntegrationConfigItem,
  body: UpdateIntegrationConfigBody,
): Promise<Kept> => {
  const before = readContent(item);
  const after = merge(before, body);
  checkSettings(item.integrationId, after);
  const sent: Credentials = after.auth?.parameters ?? {};
  if (!keepsAny(sent)) {
    checkContent(after);
    const secrets = await sealCredentials(sealer, tenantId, item.id, sent);
    return { content: JSON.stringify(withMasks(after)), secrets };
  }
  checkDestination(item.integrationId, before, after);
  const stored = await openCredentials(sealer, tenantId, item.id, item.secrets);
  const credentials = unmask(sent, stored);
  checkContent({ ...after, auth: after.auth && { ...after.auth, parameters: credentials } });
  const secrets = await sealCredentials(sealer, tenantId, item.id, credentials);
  return { content: JSON.stringify(withMasks(after)), secrets };
};

/** Members that are not sent stay, credentials as their masks. */
const merge = (
  before: IntegrationContent,
  { displayName, parameters, auth, authMap }: UpdateIntegrationConfigBody,
): IntegrationContent => ({
  displayName: displayName ?? before.displayName,
  parameters: parameters === undefined ? before.parameters : (parameters ?? {}),
  auth:
    auth === undefined
      ? before.auth
      : auth && {
          integrationAuthMetadataId:
            auth.integrationAuthMetadataId === undefined
              ? (before.auth?.integrationAuthMetadataId ?? null)
              : auth.integrationAuthMetadataId,
          parameters: auth.parameters ?? {},
        },
  authMap: authMap === undefined ? before.authMap : (authMap ?? []),
});

const requireSameIntegration = (
  before: IntegrationConfigItem,
  body: UpdateIntegrationConfigBody,
): void => {
  if (body.integrationId === undefined || body.integrationId === before.integrationId) return;
  const detail = `cannot change: it is ${before.integrationId}. Create another config`;
  throw validationFailed([{ pointer: "/integrationId", detail }]);
};
