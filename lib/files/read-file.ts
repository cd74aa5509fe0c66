import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { notFound } from "../platform/http/problems.ts";
import { findRefusals } from "../tenancy/collaborator/authorize.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import type { FileItem, FileUse, PendingFile } from "./file-item.ts";
import { getFile, listFileUses } from "./store.ts";

/** Returns whether a principal stored a file. */
export const isCreator = (
  { type, id }: Pick<Principal, "type" | "id">,
  { creator }: Pick<FileItem | PendingFile, "creator">,
): boolean => creator.type === type && creator.id === id;

/** A file and its reader. */
export type FileRead = { tenantId: TenantId; principal: Principal; fileId: string; now: number };

const readsRecord = { scope: "executions:read", role: "Viewer" } as const;
const readsAgent = { scope: "agents:read", role: "Viewer" } as const;

/**
 * Reads a file that its caller may read: one that the caller stored, that an execution uses with a record that the caller may
 * read, or that is the avatar of an agent that the caller may read. Throws 404.
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
  const caller = { principal, tenantId };
  for (const [requirement, isOfThis] of [
    [readsRecord, ({ executionId }: FileUse) => executionId !== null],
    [readsAgent, ({ executionId }: FileUse) => executionId === null],
  ] as const) {
    if (!hasScope(principal, requirement.scope)) continue;
    const agentIds = [...new Set(uses.filter(isOfThis).map(({ agentId }) => agentId))];
    const refusals = await findRefusals(db, caller, requirement, agentIds);
    if (agentIds.some((agentId) => !refusals.has(agentId))) return item;
  }
  throw notFound("file", fileId);
};
