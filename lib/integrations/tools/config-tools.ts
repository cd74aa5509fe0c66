import { isConfigured, loadIntegration } from "../../engine/tools/configured-integrations.ts";
import { type Tool, ToolError } from "../../engine/tools/tool.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { untilAborted } from "../../platform/outgoing/until-aborted.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { readPublishedConfig } from "../config/read-published-config.ts";
import { getIntegrationConfig, type IntegrationConfigItem } from "../config/store.ts";

/** Dependencies of `configToolsLoader`. */
export type ConfigToolsDeps = {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly outgoing: OutgoingOptions;
  readonly clock: () => number;
};

/** The tools of a published config, by id. */
export type ConfigTools = ReadonlyMap<string, Tool>;

/** Identifies a config of an integration. */
export type ConfigName = { readonly integrationId: string; readonly configId: string };

/** Thrown for a config that can't be used. */
export class ConfigUnavailable extends ToolError {
  readonly reason: "unknown" | "unpublished" | "other-integration";

  constructor(reason: ConfigUnavailable["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Loads the tools of a tenant's config; `isFresh` bypasses the cache. */
export type LoadConfigTools = (
  tenantId: TenantId,
  name: ConfigName,
  options: {
    readonly signal: AbortSignal;
    /** Charged for reading the document or server that the config names. */
    readonly processor: ProcessorBudget;
    readonly isFresh?: boolean;
  },
) => Promise<ConfigTools>;

const cacheTtlMs = 5 * 60_000;
const maxCacheEntries = 50;
const loadingTimeoutMs = 20_000;

type CacheEntry = {
  readonly version: string;
  readonly expiresAt: number;
  readonly tools: Promise<ConfigTools>;
};

/**
 * Returns a loader that caches tools in the instance for five minutes, or until the config changes, which each
 * call checks in storage. It throws ConfigUnavailable, ToolError for an invalid config, and UpstreamError.
 */
export const configToolsLoader = (deps: ConfigToolsDeps): LoadConfigTools => {
  const cache = new Map<string, CacheEntry>();
  return async (tenantId, name, { signal, processor, isFresh = false }) => {
    const config = await getIntegrationConfig(deps.db, tenantId, name.configId);
    const version = deriveVersion(config, name);
    const key = `${tenantId}/${name.configId}`;
    const cached = cache.get(key);
    const isValid = cached?.version === version && cached.expiresAt > deps.clock() && !isFresh;
    if (cached && isValid) return untilAborted(signal, cached.tools);
    const tools = load(deps, tenantId, name, processor);
    const entry = { version, expiresAt: deps.clock() + cacheTtlMs, tools };
    if (cache.size >= maxCacheEntries) cache.clear();
    cache.set(key, entry);
    tools.catch(() => {
      if (cache.get(key) === entry) cache.delete(key);
    });
    return untilAborted(signal, tools);
  };
};

/** Identifies the state of a config: differs whenever it was published or edited in between. */
const deriveVersion = (
  config: IntegrationConfigItem | undefined,
  { integrationId, configId }: ConfigName,
): string => {
  const shown = configId.slice(0, 64);
  if (!config) throw new ConfigUnavailable("unknown", `There is no integration config "${shown}".`);
  if (config.integrationId !== integrationId) {
    const detail = `The integration config "${shown}" belongs to "${config.integrationId}", not to "${integrationId}".`;
    throw new ConfigUnavailable("other-integration", detail);
  }
  if (config.publishedRevision === null) {
    const detail = `The integration config "${shown}" has no published revision.`;
    throw new ConfigUnavailable("unpublished", detail);
  }
  return `${config.publishedRevision}/${config.modifiedAt}`;
};

/** Several callers may share one load, so it has its own timeout instead of a caller's signal. */
const load = async (
  { db, sealer, outgoing, clock }: ConfigToolsDeps,
  tenantId: TenantId,
  { integrationId, configId }: ConfigName,
  processor: ProcessorBudget,
): Promise<ConfigTools> => {
  if (!isConfigured(integrationId)) {
    throw new ToolError(`The integration "${integrationId}" has no tools.`);
  }
  const [integration, config] = await Promise.all([
    loadIntegration(integrationId),
    readPublishedConfig({ db, sealer }, { tenantId, configId }),
  ]);
  if (!config) throw new ConfigUnavailable("unknown", "The integration config was deleted.");
  const signal = AbortSignal.timeout(loadingTimeoutMs);
  const tools = await integration.tools(config, { outgoing, clock, signal, processor });
  return new Map(tools.map((tool) => [tool.descriptor.id, tool]));
};
