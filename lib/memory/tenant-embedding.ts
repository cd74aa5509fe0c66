import type { EmbeddingModel } from "../engine/models/embedding-model.ts";
import { defaultEmbedding } from "../knowledge/asset/check-embedding.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { findOwner } from "../tenancy/tenant/find-owner.ts";

/** Returns the model that embeds the memories of a tenant's agents in a new namespace. */
export const findEmbedding = async (
  db: Database,
  tenantId: TenantId,
  now: number,
): Promise<EmbeddingModel> => (await findOwner(db, tenantId, now))?.embedding ?? defaultEmbedding;
