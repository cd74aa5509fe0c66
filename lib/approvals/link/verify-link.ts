import { type ApprovalItem, getApproval } from "../../executions/approvals/approval-store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { unknownLink } from "../../platform/http/problems.ts";
import { getSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import { hashContent, type LinkClaims, readLink } from "./link-token.ts";

/** A link that was signed for an approval as it is. It may have expired. */
export type SignedLink = { tenant: TenantOwner; claims: LinkClaims; item: ApprovalItem };

/** Verifies the signed end of a link's path. Throws 404, also for one with other actions or arguments. */
export const verifyLink = async (
  deps: { db: Database; sealer: Sealer },
  { tenant, token }: { tenant: TenantOwner; token: string },
): Promise<SignedLink> => {
  const { id: tenantId } = tenant;
  const signing = await getSigningSecret(deps, { tenantId, purpose: "approval-links" });
  const claims = signing && readLink(signing.secret, tenantId, token);
  const item = claims && (await getApproval(deps.db, tenantId, claims.approvalId));
  if (!item || hashContent(item) !== claims.content) throw unknownLink();
  return { tenant, claims, item };
};
