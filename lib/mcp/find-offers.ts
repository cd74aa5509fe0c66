import { isConfigured } from "../engine/tools/configured-integrations.ts";
import { ConsentRequired, type Tool, ToolError } from "../engine/tools/tool.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { McpOffer } from "../integrations/config/mcp-offer.ts";
import {
  getIntegrationConfig,
  getIntegrationRevision,
  type IntegrationConfigItem,
} from "../integrations/config/store.ts";
import { readContent } from "../integrations/config/to-integration-config.ts";
import { type FindPeople, findCaller } from "../integrations/connection/connection-owner.ts";
import type { FindToolsDeps } from "../integrations/tools/find-tools.ts";
import { nameConsent } from "../integrations/tools/name-consent.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { notFound, Problem } from "../platform/http/problems.ts";
import { UpstreamError } from "../platform/outgoing/upstream-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { ProcessorBudget } from "../platform/sandbox/processor-budget.ts";
import { findRefusals } from "../tenancy/collaborator/authorize.ts";
import { effects } from "../tenancy/collaborator/may.ts";
import type { AgentCaller } from "./agent-caller.ts";
import { offerAgent } from "./agent-offer.ts";
import { nameOffers } from "./name-offers.ts";
import type { Offer } from "./offer.ts";
import { offerTool } from "./tool-offer.ts";

/** Dependencies of the MCP server of a config. */
export type McpDeps = { readonly execution: ExecutionDeps; readonly tools: FindToolsDeps };

/** A published config that exposes MCP. */
export type ExposedConfig = {
  readonly item: IntegrationConfigItem;
  readonly displayName: string;
  readonly offer: McpOffer;
};

/**
 * Finds the config of an MCP server. Throws 404 for one that does not exist, is not published or does not
 * expose MCP, and for a key of another config.
 */
export const findExposedConfig = async (
  db: Database,
  { tenant, principal }: Pick<AgentCaller, "tenant" | "principal">,
  configId: string,
): Promise<ExposedConfig> => {
  const boundTo = principal.apiKey?.mcpConfigId;
  if (boundTo !== undefined && boundTo !== configId) throw notFound("MCP server", configId);
  const item = await getIntegrationConfig(db, tenant.id, configId);
  if (!item) throw notFound("MCP server", configId);
  if (item.mcpKeyId === undefined || item.publishedRevision === null) {
    const missing = item.publishedRevision === null ? "is not published" : "does not expose MCP";
    throw new Problem("not-found", `The integration config "${configId}" ${missing}.`);
  }
  const revision = await getIntegrationRevision(db, tenant.id, configId, item.publishedRevision);
  if (!revision) throw notFound("MCP server", configId);
  const { displayName, parameters } = readContent(revision);
  return { item, displayName, offer: McpOffer.catch({}).parse(parameters) };
};

/** Finds the agents that a config offers, and why the caller may not run some of them. */
export const findOfferedAgents = async (
  db: Database,
  { caller, config: { offer } }: { caller: AgentCaller; config: ExposedConfig },
): Promise<ReadonlyMap<string, Problem | undefined>> => {
  const agentIds = [...new Set(offer.agents)];
  const refusals = await findRefusedAgents(db, caller, agentIds);
  return new Map(agentIds.map((id) => [id, refusals.get(id)]));
};

/** The offers of an MCP server. `failure`: of the tools of its config, where its agents are offered alone. */
export type FoundOffers = { readonly offers: readonly Offer[]; readonly failure?: Error };

/**
 * Finds the tools and agents that a config offers. Agents are offered also while the tools cannot be loaded; without agents, and
 * where a consent is missing, it throws the ToolError or UpstreamError of the tools.
 * @param input `agents`: from `findOfferedAgents`; `named`: of a call. The tools are not loaded for the call of an agent
 */
export const findOffers = async (
  { execution, tools }: McpDeps,
  {
    caller,
    config: { item, offer },
    agents,
    named,
    signal,
  }: {
    caller: AgentCaller;
    config: ExposedConfig;
    agents: ReadonlyMap<string, Problem | undefined>;
    named: string | undefined;
    signal: AbortSignal;
  },
): Promise<FoundOffers> => {
  const { processor, principal } = caller;
  const agentOffers = [...agents].map(([agentId, refusal]) =>
    offerAgent(execution, { caller, agentId, refusal }),
  );
  if (named !== undefined && nameOffers(agentOffers).has(named)) return { offers: agentOffers };
  try {
    const found = await findConfigTools(tools, caller.tenant.id, item, {
      signal,
      processor,
      people: findCaller(principal),
    });
    const surroundings = { clock: execution.runtime.clock, processor, principal };
    const wanted = offer.tools && new Set(offer.tools);
    const toolOffers = found
      .filter(({ descriptor }) => wanted?.has(descriptor.id) ?? true)
      .map((tool) => offerTool(tool, surroundings));
    // Agents first: their names are the same without the tools.
    return { offers: [...agentOffers, ...toolOffers] };
  } catch (given) {
    const error = nameConsent(given, principal);
    const isKnown = error instanceof ToolError || error instanceof UpstreamError;
    if (given instanceof ConsentRequired || !isKnown || agentOffers.length === 0) throw error;
    log("tools-not-offered", { configId: item.id, error });
    return { offers: agentOffers, failure: error };
  }
};

/**
 * Returns the agents that the caller may not run. The config's dedicated key runs everything that it offers.
 */
const findRefusedAgents = async (
  db: Database,
  { principal, tenant }: AgentCaller,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, Problem>> => {
  if (principal.apiKey?.mcpConfigId !== undefined) return new Map();
  return findRefusals(db, { principal, tenantId: tenant.id }, effects.run, agentIds);
};

const findConfigTools = async (
  { builtIn, loadTools }: FindToolsDeps,
  tenantId: TenantId,
  { id: configId, integrationId }: IntegrationConfigItem,
  request: {
    readonly signal: AbortSignal;
    readonly processor: ProcessorBudget;
    readonly people: FindPeople;
  },
): Promise<readonly Tool[]> => {
  if (!isConfigured(integrationId)) return builtIn.list().get(integrationId) ?? [];
  return [...(await loadTools(tenantId, { integrationId, configId }, request)).values()];
};
