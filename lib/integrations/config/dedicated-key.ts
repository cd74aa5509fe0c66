import type { Principal } from "../../platform/auth/principal.ts";
import type { ScopeName } from "../../platform/auth/scopes.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import type { Send } from "../../platform/queue/send.ts";
import { enqueueKeyEvents } from "../../tenancy/api-key/enqueue-key-events.ts";
import type { ApiKeyItem, AuditEventItem } from "../../tenancy/api-key/items.ts";
import { requirePlace } from "../../tenancy/api-key/key-count.ts";
import { requireOwnExpiry } from "../../tenancy/api-key/key-rules.ts";
import { newApiKey } from "../../tenancy/api-key/new-api-key.ts";
import { planRevocation } from "../../tenancy/api-key/plan-revocation.ts";
import { getApiKey, writesOfNewKey, writesOfRevocation } from "../../tenancy/api-key/store.ts";
import type { AuditContext } from "../../tenancy/audit/describe-call.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";

const scope: ScopeName = "mcp:invoke";
const maxNameLength = 200;

/** Change of a config's dedicated key, with the writes that make it. */
export type KeyChange = {
  keyId: string | undefined;
  /** The secret of a key that was minted, for a caller who may see it. */
  mcpSecret: string | null;
  more: TransactionWrite[];
  /** Event to publish after the writes. */
  event?: { key: ApiKeyItem; audit: AuditEventItem };
};

/** Leaves a config's dedicated key unchanged. */
export const keepKey = (keyId: string | undefined): KeyChange => ({
  keyId,
  mcpSecret: null,
  more: [],
});

/**
 * Mints the dedicated key of a config that exposes MCP. Returns the secret only to a caller with
 * the key's scope. Throws 403 for a caller with an expiring key, because the dedicated key does not
 * expire, and 409 at the limit of active keys.
 */
export const mintKey = async (
  db: Database,
  ctx: AuditContext & Pick<TenantContext, "tenant">,
  prefix: string,
  { id, displayName }: { id: string; displayName: string },
): Promise<KeyChange> => {
  requireOwnExpiry(null, ctx.principal);
  await requirePlace(db, ctx.principal.organizationId, ctx.clock());
  const { item, key, event } = newApiKey(ctx, prefix, {
    name: `MCP: ${displayName}`.slice(0, maxNameLength),
    scopes: [scope],
    expiresAt: null,
    mcpConfigId: id,
    mcpTenantId: ctx.tenant.id,
  });
  return {
    keyId: item.id,
    mcpSecret: maySee(ctx.principal) ? key : null,
    more: writesOfNewKey(item, event),
    event: { key: item, audit: event },
  };
};

const maySee = ({ scopes }: Principal): boolean => scopes.includes(scope);

/** Revokes the key of a config that no longer exposes MCP, unless it is revoked already. */
export const revokeKey = async (
  db: Database,
  ctx: AuditContext,
  keyId: string,
): Promise<KeyChange> => {
  const key = await getApiKey(db, ctx.principal.organizationId, keyId);
  if (!key || key.revokedAt !== null) return keepKey(undefined);
  const revocation = await planRevocation(db, ctx, key);
  const { after, event } = revocation;
  return {
    ...keepKey(undefined),
    more: writesOfRevocation(revocation),
    event: { key: after, audit: event },
  };
};

/** Publishes the change's event, if any; call after its writes. */
export const publishKeyChange = async (send: Send, { event }: KeyChange): Promise<void> => {
  if (event) await enqueueKeyEvents(send, event.key, event.audit);
};
