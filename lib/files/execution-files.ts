import type { FlowFile, FlowFiles } from "../engine/flow/files.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { isUuid } from "../platform/http/ids.ts";
import { newUuid, type Runtime } from "../platform/runtime/runtime.ts";
import { buildFileItem } from "./create-file.ts";
import { executionAsCreator, type FileItem, toFlowFile } from "./file-item.ts";
import type { FileStorage } from "./file-storage.ts";
import { storedFileLimits } from "./limits.ts";
import { getFile, getUsedFile, putUsedFile, type UsingExecution } from "./store.ts";

/** An execution and its tenant. */
export type FilesOwner = {
  tenantId: TenantId;
  execution: UsingExecution;
  /** The principal that started it; null for none. */
  starter: string | null;
};

/** Returns the files of an execution: those of its inputs, and those that its tools made. */
export const executionFiles = (
  { db, files: { objects }, runtime }: { db: Database; files: FileStorage; runtime: Runtime },
  { tenantId, execution, starter }: FilesOwner,
): FlowFiles => {
  const found = new Map<string, FileItem>();
  const read = async ({ id }: FlowFile): Promise<Uint8Array | undefined> => {
    const item = found.get(id) ?? (await getFile(db, tenantId, id, runtime.clock()));
    return item && objects.get(item.object);
  };
  return {
    find: async (id) => {
      if (!isUuid(id)) return undefined;
      const used = { fileId: id.toLowerCase(), user: execution, now: runtime.clock() };
      const item = await getUsedFile(db, tenantId, used);
      if (!item) return undefined;
      found.set(item.id, item);
      return toFlowFile(item);
    },
    read,
    readText: async (file) => {
      const bytes = await read(file);
      if (!bytes) return { ok: false, reason: "is no longer kept." };
      const { extractText } = await import("../knowledge/files/extract-text.ts");
      return extractText(tenantId, { name: file.name, contentType: file.mediaType, bytes });
    },
    save: async ({ name, content }) => {
      const file = {
        tenantId,
        id: newUuid(runtime),
        name,
        content,
        creator: executionAsCreator(execution),
        retentionDays: storedFileLimits.defaultRetentionDays,
        now: runtime.clock(),
      };
      const item = await buildFileItem(file);
      await objects.put(item.object, content);
      await putUsedFile(db, tenantId, item, { ...execution, starter });
      return toFlowFile(item);
    },
  };
};
