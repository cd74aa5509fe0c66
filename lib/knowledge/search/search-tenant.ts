import type { TenantId } from "../../platform/db/tenant-id.ts";
import { Problem, validationFailed } from "../../platform/http/problems.ts";
import { upstreamProblem } from "../../platform/http/upstream-problem.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { isManaged } from "../asset/asset-item.ts";
import { listAssets } from "../asset/store.ts";
import { type CountingDeps, type EmbeddingUsage, writeCounted } from "../usage/embedding-usage.ts";
import { makeSnippet } from "./make-snippet.ts";
import type { SearchAssetsBody } from "./schemas.ts";
import {
  type FoundPassage,
  type SearchDeps,
  type SearchEmbedding,
  searchAssets,
} from "./search-assets.ts";
import { UnsearchableAssets } from "./unsearchable.ts";

const defaultTopK = 5;
const maxAssets = 100;
/** Time reserved for sending the response. */
const responseReserveMs = 2_000;

/**
 * Searches assets of a tenant and counts the embeddings of the query. Throws 400 with a pointer to each asset that does
 * not exist or has no source, 502 when a model fails, and 504 when the search takes too long.
 */
export const searchTenant = async (
  deps: Omit<SearchDeps, "countQuery"> & CountingDeps,
  {
    ctx,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "respondBy">;
    body: SearchAssetsBody;
  },
): Promise<(FoundPassage & { snippet: string })[]> => {
  const tenantId = ctx.tenant.id;
  const assetIds = body.assetIds ?? (await firstAssets(deps, tenantId));
  const { query, filter, topK } = body;
  const signal = AbortSignal.timeout(Math.max(1, ctx.respondBy - responseReserveMs - ctx.clock()));
  const search = {
    assetIds,
    query,
    topK: topK ?? defaultTopK,
    filter: filter ?? {},
    signal,
    missing: body.assetIds ? ("all-refused" as const) : undefined,
  };
  try {
    const countQuery = async (embeddings: readonly SearchEmbedding[]) => {
      const used = embeddings.map(toUsage);
      await writeCounted(deps, { tenantId, counted: { id: newUuid(ctx), at: ctx.clock(), used } });
    };
    const { passages } = await searchAssets({ ...deps, countQuery }, { tenantId, search });
    return passages.map((passage) => ({ ...passage, snippet: makeSnippet(query, passage.text) }));
  } catch (error) {
    if (signal.aborted) throw new Problem("upstream-timeout", "The search did not end in time.");
    if (error instanceof UnsearchableAssets) throw unsearchable(error, assetIds);
    throw error instanceof UpstreamError ? upstreamProblem(error) : error;
  }
};

const unsearchable = ({ assets }: UnsearchableAssets, assetIds: readonly string[]): Problem =>
  validationFailed(
    assets.map(({ id, detail }) => ({ pointer: `/assetIds/${assetIds.indexOf(id)}`, detail })),
  );

const toUsage = ({
  providerId,
  model,
  inputTokens,
  cost,
  priced,
}: SearchEmbedding): EmbeddingUsage => ({
  providerId,
  model,
  tokens: inputTokens,
  cost: cost.totalCost,
  priced,
});

const firstAssets = async ({ db }: SearchDeps, tenantId: TenantId): Promise<string[]> => {
  const { items } = await listAssets(db, tenantId, { size: maxAssets, skip: 0 });
  return items.filter(isManaged).map(({ id }) => id);
};
