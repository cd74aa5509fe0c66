import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { Problem } from "../platform/http/problems.ts";
import type { FileCreator, FileItem } from "./file-item.ts";
import { readFile } from "./read-file.ts";
import { getFile, getUsedFile, listFileUses, type UsingExecution } from "./store.ts";

/**
 * The stored files that an execution's inputs may name: those that a principal may read, that a creator stored, that an
 * execution uses, or that executions of an agent use.
 */
export type FileReader =
  | { readonly principal: Principal }
  | { readonly creator: FileCreator }
  | { readonly execution: UsingExecution }
  | { readonly usedBy: { readonly agentId: string } };

/** Returns a stored file that a reader may name; undefined for any other. */
export const findReadableFile = async (
  db: Database,
  {
    tenantId,
    reader,
    fileId,
    now,
  }: { tenantId: TenantId; reader: FileReader; fileId: string; now: number },
): Promise<FileItem | undefined> => {
  if ("principal" in reader) {
    const { principal } = reader;
    return readFile(db, { tenantId, principal, fileId, now }).catch((error: unknown) => {
      if (error instanceof Problem && error.slug === "not-found") return undefined;
      throw error;
    });
  }
  if ("execution" in reader) {
    return getUsedFile(db, tenantId, { fileId, user: reader.execution, now });
  }
  const item = await getFile(db, tenantId, fileId, now);
  if (!item) return undefined;
  if ("creator" in reader) {
    const { type, id } = item.creator;
    return type === reader.creator.type && id === reader.creator.id ? item : undefined;
  }
  const uses = await listFileUses(db, tenantId, fileId);
  const isUsed = uses.some(
    ({ agentId, executionId }) => agentId === reader.usedBy.agentId && executionId !== null,
  );
  return isUsed ? item : undefined;
};
