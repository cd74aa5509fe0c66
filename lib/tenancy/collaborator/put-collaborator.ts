import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound, type Problem } from "../../platform/http/problems.ts";
import type { TenantContext } from "../tenant/context.ts";
import { collaboratorChanged, lastOwner } from "./conflicts.ts";
import { resolveUser } from "./resolve-user.ts";
import type { AlertPreferences, CollaboratorItem, PutCollaboratorBody } from "./schemas.ts";
import { collaboratorStatus } from "./status.ts";
import { getAgentAndCollaborator, maxCollaborators, writeCollaborator } from "./store.ts";

const noAlerts: AlertPreferences = {
  errorAlerts: false,
  accessRequestAlerts: false,
  approvalAlerts: false,
  budgetAlerts: false,
};

/**
 * Creates or changes a collaborator of an agent. Throws 404, and 409 when the agent would lose its last Owner or
 * has the maximum number of collaborators. An e-mail address invites the user who has it as a verified one.
 */
export const putCollaborator = async (
  { db }: { db: Database },
  {
    ctx,
    agentId,
    userId: named,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
    agentId: string;
    userId: string;
    body: PutCollaboratorBody;
  },
): Promise<CollaboratorItem> => {
  const tenantId = ctx.tenant.id;
  return retryOnConflict({ error: () => collaboratorChanged(named) }, async () => {
    const userId = await resolveUser(db, { ctx, agentId, userId: named });
    const found = await getAgentAndCollaborator(db, tenantId, agentId, userId);
    if (!found.agentExists) throw notFound("agent", agentId);
    const before = found.collaborator;
    const now = ctx.clock();
    const itself = ctx.principal.type === "User" && ctx.principal.userIds.includes(userId);
    const after: CollaboratorItem = {
      agentId,
      userId,
      role: body.role,
      email: given(body.email, before?.email ?? parseEmail(named)),
      firstName: given(body.firstName, before?.firstName),
      lastName: given(body.lastName, before?.lastName),
      createdAt: before?.createdAt ?? now,
      modifiedAt: now,
      status: before?.status ?? (itself ? collaboratorStatus.active : collaboratorStatus.invited),
      alertPreferences:
        body.alertPreferences === null
          ? noAlerts
          : { ...noAlerts, ...before?.alertPreferences, ...body.alertPreferences },
    };
    const outcome = await writeCollaborator(db, tenantId, before, after);
    if (outcome === "refused") throw await whyRefused(db, tenantId, agentId, userId);
    return outcome === "changed" ? outcome : after;
  });
};

const Address = z.email();

/** Returns the user's id if it is an e-mail address. */
const parseEmail = (userId: string): string | null => Address.safeParse(userId).data ?? null;

/** Returns the sent value, also null; the stored one when none was sent. */
const given = <Value>(sent: Value | null | undefined, stored: Value | null | undefined) =>
  sent === undefined ? (stored ?? null) : sent;

const whyRefused = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  userId: string,
): Promise<Problem> => {
  const found = await getAgentAndCollaborator(db, tenantId, agentId, userId);
  if (!found.agentExists) return notFound("agent", agentId);
  return found.collaborator
    ? lastOwner(agentId, userId)
    : conflict(`"${agentId}" has ${maxCollaborators} collaborators, the maximum.`);
};
