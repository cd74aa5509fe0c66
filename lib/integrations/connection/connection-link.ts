import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { unknownLink } from "../../platform/http/problems.ts";
import { readToken, signToken } from "../../tenancy/tenant/signed-token.ts";
import { getSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import { type ConnectionItem, getConnection } from "./store.ts";

type LinkDeps = { db: Database; sealer: Sealer };

const Payload = z.tuple([z.string(), z.string(), z.int(), z.int()]);
const purpose = "connection-links";

/** Time for which a link can be opened. */
export const linkMs = 7 * 86_400_000;

/** A link to the page on which a person begins to give consent. */
export type ConnectionLink = {
  tenant: TenantOwner;
  item: ConnectionItem;
  /** Unix milliseconds; 0 after a consent. */
  expiresAt: number;
};

/**
 * Returns the address of the page on which a person begins to give consent. Undefined where the base URL of the API is not
 * known. The secret was made with the config.
 */
export const buildConnectionUrl = async (
  { publicUrl, ...deps }: LinkDeps & { publicUrl?: string | undefined },
  tenantId: TenantId,
  { id, serial, connectedAt }: Pick<ConnectionItem, "id" | "serial" | "connectedAt">,
  expiresAt: number,
): Promise<string | undefined> => {
  const signing = await getSigningSecret(deps, { tenantId, purpose });
  const baseUrl = publicUrl ?? signing?.baseUrl;
  if (!signing || !baseUrl) return undefined;
  const scope = { secret: signing.secret, tenantId, purpose } as const;
  const token = signToken(scope, [id, serial, expiresAt, connectedAt ?? 0]);
  return `${baseUrl}/v1/tenants/${tenantId}/connection-links/${token}`;
};

/** Verifies the signed end of a link's path, and reads its connection. The next consent ends the link. Throws 404. */
export const verifyConnectionLink = async (
  deps: LinkDeps,
  { tenant, token }: { tenant: TenantOwner; token: string },
): Promise<ConnectionLink> => {
  const tenantId = tenant.id;
  const signing = await getSigningSecret(deps, { tenantId, purpose });
  const content = signing && readToken({ secret: signing.secret, tenantId, purpose }, token);
  if (content === undefined) throw unknownLink();
  const [id, serial, expiresAt, connectedAt] = Payload.parse(content);
  const item = await getConnection(deps.db, tenantId, id);
  if (item?.serial !== serial) throw unknownLink();
  const isOver = (item.connectedAt ?? 0) !== connectedAt;
  return { tenant, item, expiresAt: isOver ? 0 : expiresAt };
};

/** Returns whether a consent can be given for a connection: it has none, or is to get other scopes. */
export const needsConsent = ({
  status,
  wantedScopes,
}: Pick<ConnectionItem, "status" | "wantedScopes">): boolean =>
  status !== "Active" || wantedScopes !== undefined;
