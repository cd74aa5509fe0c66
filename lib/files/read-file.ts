import * as z from "zod";
import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import { getItem } from "../platform/db/get-item.ts";
import { agentKey } from "../platform/db/keys.ts";
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
  if (await mayReadRecord(db, { tenantId, principal, uses })) return item;
  if (await mayReadAgent(db, { tenantId, principal, uses, fileId })) return item;
  throw notFound("file", fileId);
};

type Uses = { tenantId: TenantId; principal: Principal; uses: readonly FileUse[] };

const mayReadRecord = async (
  db: Database,
  { tenantId, principal, uses }: Uses,
): Promise<boolean> => {
  if (!hasScope(principal, readsRecord.scope)) return false;
  const ofRecords = uses.filter(({ executionId }) => executionId !== null);
  const agentIds = [...new Set(ofRecords.map(({ agentId }) => agentId))];
  const refusals = await findRefusals(db, { principal, tenantId }, readsRecord, agentIds);
  return agentIds.some((agentId) => !refusals.has(agentId));
};

const Avatar = z.object({ avatarFileId: z.string().nullable() });

/** Returns whether a file is the avatar of an agent that the caller may read. A use is not of the former avatars. */
const mayReadAgent = async (
  db: Database,
  { tenantId, principal, uses, fileId }: Uses & { fileId: string },
): Promise<boolean> => {
  if (!hasScope(principal, readsAgent.scope)) return false;
  const agentIds = uses.flatMap(({ agentId, executionId }) =>
    executionId === null ? [agentId] : [],
  );
  const refusals = await findRefusals(db, { principal, tenantId }, readsAgent, agentIds);
  for (const agentId of agentIds.filter((id) => !refusals.has(id))) {
    const agent = await getItem(db, agentKey(tenantId, agentId), Avatar);
    if (agent?.avatarFileId?.toLowerCase() === fileId) return true;
  }
  return false;
};
