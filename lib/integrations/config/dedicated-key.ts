import type { Principal } from "../../platform/auth/principal.ts";
import type { ScopeName } from "../../platform/auth/scopes.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import type { Send } from "../../platform/queue/send.ts";
import { announceKeyEvents } from "../../tenancy/api-key/announce-key-events.ts";
import type { AuditContext } from "../../tenancy/api-key/audit-event.ts";
import type { ApiKeyItem, AuditEventItem } from "../../tenancy/api-key/items.ts";
import { requireOwnExpiry } from "../../tenancy/api-key/key-rules.ts";
import { newApiKey } from "../../tenancy/api-key/new-api-key.ts";
import { planRevocation } from "../../tenancy/api-key/plan-revocation.ts";
import { getApiKey, writesOfNewKey, writesOfRevocation } from "../../tenancy/api-key/store.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";

const scope: ScopeName = "mcp:invoke";
const longestName = 200;

/** What becomes of the dedicated key when a config changes. */
export type KeyChange = {
  keyId: string | undefined;
  /** The secret of a key that was minted, for a caller who may see it. */
  mcpSecret: string | null;
  more: TransactionWrite[];
  /** What happens to a key by those writes, of which others may hear. */
  happened?: { key: ApiKeyItem; audit: AuditEventItem };
};

/** A config's dedicated key stays as it is. */
export const keepKey = (keyId: string | undefined): KeyChange => ({
  keyId,
  mcpSecret: null,
  more: [],
});

/**
 * Mints the key that a config has while it exposes MCP: good for that alone. Whoever may change the config
 * sets this off; the secret is for those alone who have the key's scope themselves. Throws 403 for a caller whose
 * own key expires, since this one does not.
 */
export const mintKey = (
  ctx: AuditContext & Pick<TenantContext, "tenant">,
  prefix: string,
  { id, displayName }: { id: string; displayName: string },
): KeyChange => {
  requireOwnExpiry(null, ctx.principal);
  const { item, key, event } = newApiKey(ctx, prefix, {
    name: `MCP: ${displayName}`.slice(0, longestName),
    scopes: [scope],
    expiresAt: null,
    mcpConfigId: id,
    mcpTenantId: ctx.tenant.id,
  });
  return {
    keyId: item.id,
    mcpSecret: maySee(ctx.principal) ? key : null,
    more: writesOfNewKey(item, event),
    happened: { key: item, audit: event },
  };
};

const maySee = ({ scopes }: Principal): boolean => scopes.includes(scope);

/** Revokes the key of a config that no longer exposes MCP, unless somebody has before. */
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
    happened: { key: after, audit: event },
  };
};

/** Has told what happened to the key, once that is written. */
export const tellKeyChange = async (send: Send, { happened }: KeyChange): Promise<void> => {
  if (happened) await announceKeyEvents(send, happened.key, happened.audit);
};
