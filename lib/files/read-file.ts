import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { notFound } from "../platform/http/problems.ts";
import { findRefusals } from "../tenancy/collaborator/authorize.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import type { FileItem, PendingFile } from "./file-item.ts";
import { getFile, listFileUses } from "./store.ts";

/** Returns whether a principal stored a file. */
export const isCreator = (
  { type, id }: Pick<Principal, "type" | "id">,
  { creator }: Pick<FileItem | PendingFile, "creator">,
): boolean => creator.type === type && creator.id === id;

/** A file and its reader. */
export type FileRead = { tenantId: TenantId; principal: Principal; fileId: string; now: number };

const reads = { scope: "executions:read", role: "Viewer" } as const;

/**
 * Reads a file that its caller may read: one that the caller stored, and one that an execution uses of which the caller may
 * read the record. Throws 404.
 */
export const readFile = async (
  db: Database,
  { tenantId, principal, fileId, now }: FileRead,
): Promise<FileItem> => {
  const item = await getFile(db, tenantId, fileId, now);
  if (!item) throw notFound("file", fileId);
  if (isCreator(principal, item)) return item;
  const uses = await listFileUses(db, tenantId, fileId);
  if (uses.some(({ starter }) => starter === principal.id)) return item;
  if (!hasScope(principal, reads.scope)) throw notFound("file", fileId);
  const agentIds = [...new Set(uses.map(({ agentId }) => agentId))];
  const refusals = await findRefusals(db, { principal, tenantId }, reads, agentIds);
  if (agentIds.every((agentId) => refusals.has(agentId))) throw notFound("file", fileId);
  return item;
};
