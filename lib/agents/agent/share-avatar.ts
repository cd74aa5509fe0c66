import { findReadableFile } from "../../files/find-readable-file.ts";
import { putFileUse } from "../../files/store.ts";
import type { Database } from "../../platform/db/database.ts";
import { isUuid } from "../../platform/http/ids.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";

/**
 * Lets the readers of an agent read the file that is its avatar, if the caller who names it may read that file. An id of no such
 * file has no effect.
 */
export const shareAvatar = async (
  db: Database,
  {
    ctx,
    agentId,
    avatarFileId,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal">;
    agentId: string;
    avatarFileId: string | null | undefined;
  },
): Promise<void> => {
  if (!avatarFileId || !isUuid(avatarFileId)) return;
  const { tenant, principal } = ctx;
  const file = await findReadableFile(db, {
    tenantId: tenant.id,
    reader: { principal },
    fileId: avatarFileId.toLowerCase(),
    now: ctx.clock(),
  });
  const use = { agentId, executionId: null, starter: null };
  if (file) await putFileUse(db, tenant.id, file, use);
};
