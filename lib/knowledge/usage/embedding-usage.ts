import type { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";

/** Tokens and cost of embeddings by a model; cost in US dollars, 0 for one that is not `priced`. */
export type EmbeddingUsage = EmbeddingModel & {
  readonly tokens: number;
  readonly cost: number;
  readonly priced: boolean;
};

/** Time of embeddings, Unix milliseconds, and a uuid by which concurrent counts are spread. */
export type EmbeddingTime = { readonly at: number; readonly id: string };

/**
 * Builds the write that adds embeddings to a tenant's usage. Its condition fails when the day has too many models; it
 * then counts `asOthers`.
 */
export type CountEmbeddings = (
  tenantId: TenantId,
  used: readonly EmbeddingUsage[],
  time: EmbeddingTime & { readonly asOthers: boolean },
) => TransactionWrite;

/** Dependencies of counting embeddings. */
export type CountingDeps = { readonly db: Database; readonly countEmbeddings: CountEmbeddings };

/** Counts embeddings in a tenant's usage together with other writes, all or none. */
export const writeCounted = async (
  { db, countEmbeddings }: CountingDeps,
  {
    tenantId,
    counted: { used, ...time },
    writes = [],
  }: {
    tenantId: TenantId;
    counted: EmbeddingTime & { readonly used: readonly EmbeddingUsage[] };
    writes?: readonly TransactionWrite[] | undefined;
  },
): Promise<"written" | "refused"> => {
  const counted = used.filter(({ tokens, cost }) => tokens > 0 || cost > 0);
  if (counted.length === 0 && writes.length === 0) return "written";
  const count = (asOthers: boolean) =>
    counted.length === 0 ? [] : [countEmbeddings(tenantId, counted, { ...time, asOthers })];
  const outcome = await transact(db, [...writes, ...count(false)]);
  if (outcome.written) return "written";
  if (outcome.failed.slice(0, writes.length).some(Boolean)) return "refused";
  return (await transact(db, [...writes, ...count(true)])).written ? "written" : "refused";
};
