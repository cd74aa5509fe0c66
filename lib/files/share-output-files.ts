import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { listFiles } from "./output-files.ts";
import { getUsedFile, putFileUse, type UsingExecution } from "./store.ts";

/** Levels of an output in which files are found, and how many of them. */
const depth = 6;
const most = 100;

/** Notes that an execution uses the files in the output of another one, which its sub-agent made or had. */
export const shareOutputFiles = async (
  db: Database,
  {
    tenantId,
    output,
    from,
    to,
    starter,
    now,
  }: {
    tenantId: TenantId;
    output: unknown;
    from: UsingExecution;
    to: UsingExecution;
    /** The principal that started the execution; null for none. */
    starter: string | null;
    now: number;
  },
): Promise<void> => {
  for (const { id: fileId } of listFiles(output, depth).slice(0, most)) {
    const file = await getUsedFile(db, tenantId, { fileId, user: from, now });
    if (file) await putFileUse(db, tenantId, file, { ...to, starter });
  }
};
