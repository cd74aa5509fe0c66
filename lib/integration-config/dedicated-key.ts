import type { AuditContext } from "../api-key/audit-event.ts";
import { newApiKey } from "../api-key/new-api-key.ts";
import { planRevocation } from "../api-key/plan-revocation.ts";
import { getApiKey, writesOfNewKey, writesOfRevocation } from "../api-key/store.ts";
import type { Principal } from "../auth/principal.ts";
import type { ScopeName } from "../auth/scopes.ts";
import type { Database } from "../db/database.ts";
import type { TransactionWrite } from "../db/transact.ts";

const scope: ScopeName = "mcp:invoke";
const longestName = 200;

/** What becomes of the dedicated key when a config changes. */
export type KeyChange = {
  keyId: string | undefined;
  /** The secret of a key that was minted, for a caller who may see it. */
  mcpSecret: string | null;
  more: TransactionWrite[];
};

/** A config's dedicated key stays as it is. */
export const keepKey = (keyId: string | undefined): KeyChange => ({
  keyId,
  mcpSecret: null,
  more: [],
});

/**
 * Mints the key that a config has while it exposes MCP: good for that alone. Whoever may change the config
 * sets this off; the secret is for those alone who have the key's scope themselves.
 */
export const mintKey = (
  ctx: AuditContext,
  prefix: string,
  { id, displayName }: { id: string; displayName: string },
): KeyChange => {
  const { item, key, event } = newApiKey(ctx, prefix, {
    name: `MCP: ${displayName}`.slice(0, longestName),
    scopes: [scope],
    expiresAt: null,
    mcpConfigId: id,
  });
  return {
    keyId: item.id,
    mcpSecret: maySee(ctx.principal) ? key : null,
    more: writesOfNewKey(item, event),
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
  const more = writesOfRevocation(await planRevocation(db, ctx, key));
  return { ...keepKey(undefined), more };
};
