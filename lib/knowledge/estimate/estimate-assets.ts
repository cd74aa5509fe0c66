import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { insufficientScope, notFound, validationFailed } from "../../platform/http/problems.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../platform/sandbox/processor-limits.ts";
import { WorkMeter } from "../../platform/sandbox/work-meter.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { SourceSettings } from "../../vendors/source.ts";
import type { Chunking } from "../sources/chunk-count.ts";
import { countDocuments } from "../sources/count-documents.ts";
import { toEstimateProblem } from "../sources/estimate-problem.ts";
import { readParameters } from "../sources/read-parameters.ts";
import type { AssetEstimate } from "../sources/schemas.ts";
import { createSourceFetch, type SourceFetchOptions } from "../sources/source-fetch.ts";
import { createTally } from "../sources/tally.ts";
import type { TokenCounter } from "../sources/token-counter.ts";
import { estimateCost } from "./estimate-cost.ts";
import { findTenantAssets } from "./find-tenant-assets.ts";
import { type AgentAsset, createAllSources } from "./wharf.ts";

/** Dependencies of an estimate. */
export type EstimateDeps = Pick<SourceFetchOptions, "outgoing" | "sleep"> & {
  readonly db: Database;
  readonly settings: SourceSettings;
  readonly chunking: Chunking;
  readonly loadTokenCounter: () => Promise<TokenCounter>;
  readonly hasAgent: (tenantId: TenantId, agentId: string) => Promise<boolean>;
  /** Loads the assets that a revision references; throws 404. */
  readonly loadAgentAssets: (
    tenantId: TenantId,
    agentId: string,
    revision: number | undefined,
  ) => Promise<readonly AgentAsset[]>;
};

/** The source to estimate and its parameters. */
export type EstimateInput = {
  readonly agentId: string;
  /** Key of a source. */
  readonly type: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Pointer to the parameters in the body. */
  readonly at: string;
};

/** Time reserved for sending the response. */
const responseReserveMs = 4_000;

/**
 * Reads a source and counts tokens and chunks of each document; stores nothing. Throws 403 for assets of the tenant
 * that the caller may not read, 404 for an unknown agent, 400 for invalid parameters and disallowed addresses, 502 when the source fails, and 504, with the
 * counts so far, on timeout.
 */
export const estimateAssets = async (
  deps: EstimateDeps,
  {
    ctx,
    agentId,
    type,
    parameters: given,
    at,
  }: { ctx: Pick<TenantContext, "clock" | "tenant" | "principal" | "respondBy"> } & EstimateInput,
): Promise<AssetEstimate> => {
  const { outgoing, sleep, chunking } = deps;
  const { clock } = ctx;
  const tenantId = ctx.tenant.id;
  const sources = createAllSources(
    deps.settings,
    (revision, other = agentId) => deps.loadAgentAssets(tenantId, other, revision),
    { findAssets: (ids) => findTenantAssets(deps.db, tenantId, ids) },
  );
  const source = sources.find(({ key }) => key === type);
  if (!source) {
    const detail = `must be one of ${sources.map(({ key }) => key).join(", ")}`;
    throw validationFailed([{ pointer: "/type", detail }]);
  }
  const readScope = "assets:read";
  if (source.key === "wharf" && !hasScope(ctx.principal, readScope)) {
    throw insufficientScope(readScope);
  }
  const parameters = readParameters(source, given, { at, outgoing });
  if (!(await deps.hasAgent(tenantId, agentId))) throw notFound("agent", agentId);
  const until = ctx.respondBy - responseReserveMs;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), Math.max(0, until - clock()));
  const { signal } = ended;
  const check = () => {
    if (clock() >= until) ended.abort();
    signal.throwIfAborted();
  };
  const work = new WorkMeter(
    new ProcessorBudget(tenantId, processorLimits.estimateMs),
    Number.POSITIVE_INFINITY,
  );
  const charge = (characters: number) => {
    check();
    work.charge(characters);
  };
  const tally = createTally(chunking);
  try {
    const fetch = createSourceFetch({ outgoing, clock, sleep, until, signal });
    await countDocuments(source.read(parameters, { fetch, signal, charge }), {
      tally,
      count: await deps.loadTokenCounter(),
      limit: { signal, check, charge },
    });
    const estimatedCost = await estimateCost(deps.db, tenantId, tally.chunkTokens());
    return { ...tally.totals(), estimatedCost, documents: tally.documents };
  } catch (error) {
    const standing = { type: source.key, parameters, at, isOver: signal.aborted };
    throw toEstimateProblem(error, { ...standing, totals: tally.totals() });
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
};
