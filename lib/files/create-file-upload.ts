import type { Database } from "../platform/db/database.ts";
import { type FileUploads, uploadType } from "../platform/db/file-uploads.ts";
import { newUuid } from "../platform/runtime/runtime.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import { type PendingFile, pendingObject, toUploadAddress } from "./file-item.ts";
import { storedFileLimits } from "./limits.ts";
import { requireBytes } from "./reserve-bytes.ts";
import type { CreateFileUploadBody, UploadAddress } from "./schemas.ts";
import { putFile } from "./store.ts";

/**
 * Returns an address to upload a file of the caller to. The file exists when the upload is completed, within a day. Throws 429 beyond
 * the tenant's bytes of a day.
 */
export const createFileUpload = async (
  { db, uploads }: { db: Database; uploads: Pick<FileUploads, "sign"> },
  {
    ctx,
    body: { name, bytes, retentionDays },
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "principal">;
    body: CreateFileUploadBody;
  },
): Promise<UploadAddress> => {
  const id = newUuid(ctx);
  const tenantId = ctx.tenant.id;
  const { type, id: creatorId } = ctx.principal;
  const createdAt = ctx.clock();
  const item: PendingFile = {
    id,
    name,
    status: "Pending",
    bytes,
    creator: { type, id: creatorId },
    retentionDays: retentionDays ?? storedFileLimits.defaultRetentionDays,
    createdAt,
    expiresAt: createdAt + storedFileLimits.pendingMs,
  };
  await requireBytes(db, { tenantId, bytes, now: createdAt });
  const validSeconds = storedFileLimits.uploadMs / 1_000;
  const url = await uploads.sign(pendingObject(tenantId, id), { size: bytes, validSeconds });
  await putFile(db, tenantId, item);
  return toUploadAddress(item, url, { "Content-Type": uploadType });
};
