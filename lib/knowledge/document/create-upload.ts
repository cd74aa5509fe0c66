import type { Database } from "../../platform/db/database.ts";
import { type FileUploads, uploadType } from "../../platform/db/file-uploads.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { startedObject } from "./document-item.ts";
import type { FileUpload } from "./schemas.ts";
import { getUploadAsset } from "./upload-asset.ts";

const validSeconds = 900;

/**
 * Returns a URL for the upload of a file, which is stored for a day unless the upload is completed. Throws 404, and 409
 * for an asset that does not accept uploads.
 */
export const createUpload = async (
  { db, uploads }: { db: Database; uploads: Pick<FileUploads, "sign"> },
  {
    ctx,
    assetId,
    size,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">;
    assetId: string;
    size: number;
  },
): Promise<FileUpload> => {
  const tenantId = ctx.tenant.id;
  const { indexId } = await getUploadAsset(db, tenantId, assetId);
  const id = newUuid(ctx);
  const expiresAt = ctx.clock() + validSeconds * 1_000;
  const key = startedObject({ tenantId, indexId }, id);
  const uploadUrl = await uploads.sign(key, { size, validSeconds });
  const headers = { "Content-Type": uploadType };
  return { id, uploadUrl, headers, expiresAt };
};
