import { createHash } from "node:crypto";
import type { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/**
 * Returns the name of a tenant's index for an embedding model. It is a hash of both, so that no input of a tenant can
 * name another's index, in the characters that S3 Vectors allows.
 */
export const indexName = (tenantId: TenantId, { providerId, model }: EmbeddingModel): string =>
  createHash("sha256")
    .update(JSON.stringify([tenantId, providerId, model]))
    .digest("hex")
    .slice(0, 48);
