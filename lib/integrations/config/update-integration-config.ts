import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { notFound, validationFailed } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { AuditContext } from "../../tenancy/audit/describe-call.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { agentsOffered, agentsPublished, authorizeOffer } from "./authorize-offer.ts";
import { changeRetries } from "./change-retries.ts";
import { checkAddresses } from "./check-addresses.ts";
import { checkContent, checkOffer, checkSettings } from "./check-content.ts";
import { checkDestination } from "./check-destination.ts";
import { checkOffered, type FindAgents } from "./check-offered.ts";
import { checkParameterNames } from "./check-parameter-names.ts";
import {
  type Credentials,
  joinCredentials,
  listMasked,
  openConfigCredentials,
  toStoredContent,
  unmask,
} from "./credentials.ts";
import { type KeyChange, keepKey, mintKey, publishKeyChange, revokeKey } from "./dedicated-key.ts";
import { checkOAuth, completeOAuth } from "./oauth-settings.ts";
import { provideLinkSecret } from "./provide-link-secret.ts";
import type { IntegrationContent, UpdateIntegrationConfigBody } from "./schemas.ts";
import {
  getIntegrationConfig,
  type IntegrationConfigItem,
  type IntegrationRevisionItem,
  putDedicatedKey,
  putNextIntegrationRevision,
} from "./store.ts";
import { readContent, type ShownConfig } from "./to-integration-config.ts";

type ChangeContext = AuditContext & Pick<TenantContext, "tenant" | "baseUrl">;

/**
 * Creates the next revision of a config, unless only `exposeMcp` was sent; the published revision stays. Mints or
 * revokes the dedicated key as `exposeMcp` changes. Throws 400, 404, 409 after repeated concurrent changes, and
 * 403 when the caller may not run newly offered agents.
 */
export const updateIntegrationConfig = async (
  deps: {
    db: Database;
    sealer: Sealer;
    outgoing: OutgoingOptions;
    prefix: string;
    send: Send;
    findAgents: FindAgents;
  },
  {
    ctx,
    configId,
    body,
  }: { ctx: ChangeContext; configId: string; body: UpdateIntegrationConfigBody },
): Promise<ShownConfig> => {
  const tenantId = ctx.tenant.id;
  return retryOnConflict(changeRetries, async () => {
    const before = await getIntegrationConfig(deps.db, tenantId, configId);
    if (!before) throw notFound("integration config", configId);
    requireSameIntegration(before, body);
    const next = hasContent(body) ? await nextContent(deps, ctx, before, body) : before;
    const mcp = await planKeyChange(deps, ctx, { before, next, exposeMcp: body.exposeMcp });
    const modifiedAt = ctx.clock();
    const { keyId: mcpKeyId, mcpSecret } = mcp;
    const after = { ...before, ...next, modifiedAt, mcpKeyId };
    if (next !== before) after.latestRevision += 1;
    const outcome =
      next === before
        ? await putDedicatedKey(deps.db, tenantId, before, { ...mcp, now: modifiedAt })
        : await putNextIntegrationRevision(deps.db, tenantId, toLatestRevision(after, ctx), {
            ...mcp,
            before,
          });
    if (outcome === "changed") return outcome;
    await publishKeyChange(deps.send, mcp);
    return { ...after, mcpSecret };
  });
};

/** Returns whether the body changes the content; an empty body counts, and creates a revision. */
const hasContent = ({
  integrationId,
  exposeMcp,
  ...content
}: UpdateIntegrationConfigBody): boolean =>
  exposeMcp === undefined || Object.values(content).some((member) => member !== undefined);

/** Returns the latest revision of a config. */
const toLatestRevision = (
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

const planKeyChange = async (
  { db, prefix, findAgents }: { db: Database; prefix: string; findAgents: FindAgents },
  ctx: AuditContext & Pick<TenantContext, "tenant">,
  {
    before,
    next,
    exposeMcp = before.mcpKeyId !== undefined,
  }: { before: IntegrationConfigItem; next: StoredContent; exposeMcp: boolean | undefined },
): Promise<KeyChange> => {
  const { id, mcpKeyId } = before;
  if (!exposeMcp) return mcpKeyId === undefined ? keepKey(undefined) : revokeKey(db, ctx, mcpKeyId);
  const content = readContent(next);
  checkOffer(content);
  if (next !== before || mcpKeyId === undefined) {
    await checkOffered(before.integrationId, content, (ids) => findAgents(ctx.tenant.id, ids));
  }
  if (mcpKeyId === undefined) {
    const published = await agentsPublished(db, ctx, before);
    await authorizeOffer(db, ctx, [...agentsOffered(next), ...published]);
  } else {
    await authorizeOffer(db, ctx, agentsOffered(next), agentsOffered(before));
  }
  const { displayName } = content;
  return mcpKeyId === undefined ? mintKey(db, ctx, prefix, { id, displayName }) : keepKey(mcpKeyId);
};

type StoredContent = Pick<IntegrationConfigItem, "content" | "secrets">;

const nextContent = async (
  { db, sealer, outgoing }: { db: Database; sealer: Sealer; outgoing: OutgoingOptions },
  ctx: ChangeContext,
  item: IntegrationConfigItem,
  body: UpdateIntegrationConfigBody,
): Promise<StoredContent> => {
  const tenantId = ctx.tenant.id;
  const before = readContent(item);
  const content = merge(before, body);
  checkParameterNames(item.integrationId, body.parameters ?? {}, before.parameters);
  checkSettings(item.integrationId, content);
  if (body.parameters)
    await checkAddresses(item.integrationId, content.parameters, { tenantId, outgoing });
  checkOAuth(item.integrationId, body.auth, outgoing);
  await provideLinkSecret({ db, sealer }, { ctx, content });
  let credentials: Credentials = joinCredentials(
    content.auth?.parameters ?? {},
    body.auth ?? content.auth ?? {},
  );
  const masked = listMasked(credentials);
  if (masked.length > 0) {
    checkDestination(item.integrationId, before, content, masked);
    const stored = await openConfigCredentials(sealer, tenantId, item.id, item.secrets);
    credentials = unmask(credentials, stored);
  }
  checkContent({ ...content, auth: content.auth && { ...content.auth, parameters: credentials } });
  return toStoredContent(sealer, tenantId, item.id, { content, credentials });
};

/** Members that are not sent stay; the credentials among them are masks. */
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
          ...completeOAuth(auth),
        },
  authMap: authMap === undefined ? before.authMap : (authMap ?? []),
});

const requireSameIntegration = (
  before: IntegrationConfigItem,
  body: UpdateIntegrationConfigBody,
): void => {
  if (body.integrationId === undefined || body.integrationId === before.integrationId) return;
  const detail = `cannot be changed from ${before.integrationId}: create another config`;
  throw validationFailed([{ pointer: "/integrationId", detail }]);
};
