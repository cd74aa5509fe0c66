import { getApproval } from "../../executions/approvals/approval-store.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { approvalEnded, notFound } from "../../platform/http/problems.ts";
import { getHeldRoles } from "../../tenancy/collaborator/role-store.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { provideSigningSecret } from "../../tenancy/tenant/signing-secret.ts";
import { requireDecider } from "../require-decider.ts";
import type { ApprovalLink, CreateApprovalLinkBody } from "../schemas.ts";
import { toApproval } from "../to-approval.ts";
import { buildUrl } from "./build-link.ts";
import type { LinkOwner } from "./link-token.ts";

const usualSeconds = 7 * 86_400;

/**
 * Creates a page on which a person without an account decides in the name of the caller, who is an approver. Stores
 * nothing. Throws 403 and 404, and 409 for an approval that has ended.
 */
export const createApprovalLink = async (
  deps: { db: Database; sealer: Sealer },
  {
    ctx: { tenant, principal, clock, randomBytes, baseUrl },
    approvalId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal" | "baseUrl">;
    approvalId: string;
    body: CreateApprovalLinkBody | undefined;
  },
): Promise<ApprovalLink> => {
  const { id: tenantId } = tenant;
  const item = await getApproval(deps.db, tenantId, approvalId);
  if (!item) throw notFound("approval", approvalId);
  await requireDecider(deps.db, { tenant, item, decider: { type: "caller", principal } });
  const now = clock();
  if (item.status !== "Pending" || item.expiresAt <= now) {
    throw approvalEnded("The approval has ended.", toApproval(item));
  }
  const purpose = "approval-links";
  const secret = await provideSigningSecret(deps, { tenantId, purpose, randomBytes });
  const seconds = body?.expiresInSeconds ?? usualSeconds;
  const expiresAt = Math.min(item.expiresAt, now + seconds * 1_000);
  const owner = await toOwner(deps.db, tenantId, { agentId: item.agentId, principal });
  return { url: buildUrl({ baseUrl, secret }, { tenantId, item, owner, expiresAt }), expiresAt };
};

const toOwner = async (
  db: Database,
  tenantId: TenantId,
  {
    agentId,
    principal: { type, id, userIds },
  }: { agentId: string; principal: Pick<Principal, "type" | "id" | "userIds"> },
): Promise<LinkOwner> => {
  if (type === "ApiKey") return { type: "key", id };
  const held = await getHeldRoles(db, tenantId, [agentId], userIds);
  return { type: "user", id, userIds, isCollaborator: held.length > 0 };
};
