import { type ListedModel, listModels } from "../../engine/models/list-models.ts";
import { freeRates } from "../../engine/models/price.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../tenant/context.ts";
import { findBuiltIn } from "./built-in-providers.ts";
import { createModelLists, type ModelLists } from "./model-lists.ts";
import { toProviderProblem } from "./provider-problem.ts";
import { openProvider, type ProviderDeps } from "./registry.ts";
import { getProvider } from "./store.ts";

const instanceLists = createModelLists();
/** Of all calls to the service. */
const maxMs = 10_000;
/** Reserved for sending the response. */
const responseReserveMs = 3_000;

/**
 * Lists the models of a provider. A function instance asks the provider's service at most every 5 minutes. Throws 404, 502
 * when the service failed, and 504 when it did not respond in time.
 */
export const listLlmModels = async (
  {
    lists = instanceLists,
    ...deps
  }: ProviderDeps & {
    /** Default: those of the function instance. */
    readonly lists?: ModelLists;
  },
  {
    ctx,
    providerId,
  }: { ctx: Pick<TenantContext, "clock" | "tenant" | "respondBy">; providerId: string },
): Promise<{ items: ListedModel[] }> => {
  const builtIn = findBuiltIn(providerId);
  if (builtIn) return { items: [{ id: builtIn.defaultModel ?? builtIn.id, prices: freeRates }] };
  const tenantId = ctx.tenant.id;
  const provider = await getProvider(deps.db, tenantId, providerId);
  if (!provider) throw notFound("language-model provider", providerId);
  const now = ctx.clock();
  const known = lists.find(tenantId, provider, now);
  if (known) return { items: known };
  const settings = await openProvider(deps.sealer, tenantId, provider);
  const signal = AbortSignal.timeout(
    Math.max(0, Math.min(maxMs, ctx.respondBy - responseReserveMs - now)),
  );
  try {
    const models = await listModels(settings, deps.outgoing, signal);
    lists.keep(tenantId, provider, { models, now });
    return { items: models };
  } catch (error) {
    throw toProviderProblem(error, providerId, signal);
  }
};
