import * as z from "zod";
import { EmbeddingModel } from "../engine/models/embedding-model.ts";
import { TenantId } from "../platform/db/tenant-id.ts";
import { ChosenId, Uuid } from "../platform/http/ids.ts";
import { MemoryId } from "./schemas.ts";

/** Requests that the facts of a deleted namespace are removed with their vectors. Idempotent. */
export const PurgeMemoriesMessage = z.object({
  type: z.literal("purge-memories"),
  tenantId: TenantId,
  agentId: ChosenId,
  digest: z.string(),
  generation: Uuid,
});
export type PurgeMemoriesMessage = z.output<typeof PurgeMemoriesMessage>;

/** Requests that the facts of a namespace are embedded again with the tenant's model. Idempotent. */
export const ReindexMemoriesMessage = z.object({
  type: z.literal("reindex-memories"),
  tenantId: TenantId,
  agentId: ChosenId,
  digest: z.string(),
});
export type ReindexMemoriesMessage = z.output<typeof ReindexMemoriesMessage>;

/** Requests that the vector of a fact is removed, if the fact is deleted. Idempotent. */
export const RemoveMemoryMessage = z.object({
  type: z.literal("remove-memory"),
  tenantId: TenantId,
  agentId: ChosenId,
  memoryId: MemoryId,
  embedding: EmbeddingModel,
});
export type RemoveMemoryMessage = z.output<typeof RemoveMemoryMessage>;

/** Requests the removal of a deleted person's messages in an agent's sessions, and of the facts taken from them. Idempotent. */
export const PurgePersonMessage = z.object({
  type: z.literal("purge-person"),
  tenantId: TenantId,
  agentId: ChosenId,
  person: z.string(),
  erasureId: Uuid,
});
export type PurgePersonMessage = z.output<typeof PurgePersonMessage>;
