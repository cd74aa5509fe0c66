import type { FlowFiles } from "../engine/flow/files.ts";
import type { FlowFile } from "../engine/flow-file.ts";
import { StepError } from "../engine/step-error.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { isUuid } from "../platform/http/ids.ts";
import { createByteRoom } from "../platform/runtime/byte-room.ts";
import { newUuid, type Runtime } from "../platform/runtime/runtime.ts";
import type { ProcessorBudget } from "../platform/sandbox/processor-budget.ts";
import { buildFileItem } from "./create-file.ts";
import { executionAsCreator, type FileItem, toFlowFile } from "./file-item.ts";
import type { FileStorage } from "./file-storage.ts";
import { storedFileLimits } from "./limits.ts";
import { reserveBytes } from "./reserve-bytes.ts";
import { getFile, getUsedFile, putUsedFile, type UsingExecution } from "./store.ts";

/** An execution and its tenant. */
export type FilesOwner = {
  tenantId: TenantId;
  execution: UsingExecution;
  /** The principal that started it; null for none. */
  starter: string | null;
};

/** The memory that a function has for files of Prompts, of all executions that it runs. */
const room = createByteRoom(storedFileLimits.promptBytesAtOnce);

/** Returns the files of an execution: those of its inputs, and those that its tools made. */
export const executionFiles = (
  { db, files: { objects }, runtime }: { db: Database; files: FileStorage; runtime: Runtime },
  { tenantId, execution, starter }: FilesOwner,
): FlowFiles => {
  let budget: Promise<ProcessorBudget> | undefined;
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
    room,
    read,
    readText: async (file) => {
      const bytes = await read(file);
      if (!bytes) return { ok: false, reason: "is no longer kept." };
      const { extractText, openReadBudget } = await import("../knowledge/files/extract-text.ts");
      budget ??= openReadBudget(tenantId);
      const uploaded = { name: file.name, contentType: file.mediaType, bytes };
      return extractText(tenantId, uploaded, { budget: await budget });
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
      const { bytes } = item;
      const exceeded = await reserveBytes(db, { tenantId, bytes, now: item.createdAt });
      if (exceeded !== undefined) {
        throw new StepError("execution-failed", `The file ${JSON.stringify(name)} ${exceeded}.`);
      }
      await objects.put(item.object, content);
      await putUsedFile(db, tenantId, item, { ...execution, starter });
      return toFlowFile(item);
    },
  };
};
