import type { ApprovalItem } from "../../executions/approvals/approval-store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { getSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import { hashContent, type LinkOwner, signLink } from "./link-token.ts";

/** Dependencies of the links that workers send. `publicUrl`: base URL of the API, where the deployment declares it. */
export type LinkDeps = { db: Database; sealer: Sealer; publicUrl: string | undefined };

/** An approval, who its link is for, and until when it decides. */
type NewLink = { tenantId: TenantId; item: ApprovalItem; owner: LinkOwner; expiresAt: number };

/** Returns the address of a link's page. */
export const buildUrl = (
  { baseUrl, secret }: { baseUrl: string; secret: string },
  { tenantId, item, owner, expiresAt }: NewLink,
): string => {
  const claims = { approvalId: item.id, content: hashContent(item), expiresAt, owner };
  return `${baseUrl}/v1/tenants/${tenantId}/approval-links/${signLink(secret, tenantId, claims)}`;
};

/**
 * Returns a link that a worker sends, the same whenever it is sent again. The secret was made with the revision. Undefined
 * where the base URL of the API is not known.
 */
export const buildSentLink = async (
  { publicUrl, ...deps }: LinkDeps,
  link: Omit<NewLink, "expiresAt">,
): Promise<string | undefined> => {
  const { tenantId, item } = link;
  const signing = await getSigningSecret(deps, { tenantId, purpose: "approval-links" });
  const baseUrl = publicUrl ?? signing?.baseUrl;
  if (!signing || !baseUrl) return undefined;
  const { secret } = signing;
  return buildUrl({ baseUrl, secret }, { ...link, expiresAt: item.expiresAt });
};
