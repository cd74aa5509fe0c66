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

/** What loading the tools of configs needs. */
export type ConfigToolsDeps = {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly outgoing: OutgoingOptions;
  readonly clock: () => number;
};

/** The tools of a published config, by id. */
export type ConfigTools = ReadonlyMap<string, Tool>;

/** Names a config of an integration. */
export type ConfigName = { readonly integrationId: string; readonly configId: string };

/** A config that can't be used; `reason` says why. */
export class ConfigUnavailable extends ToolError {
  readonly reason: "unknown" | "unpublished" | "other-integration";

  constructor(reason: ConfigUnavailable["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Loads the tools of a tenant's config; `isFresh` looks again at what the config names. */
export type LoadConfigTools = (
  tenantId: TenantId,
  name: ConfigName,
  options: {
    readonly signal: AbortSignal;
    /** Pays for reading what the config names. */
    readonly processor: ProcessorBudget;
    readonly isFresh?: boolean;
  },
) => Promise<ConfigTools>;

const keptForMs = 5 * 60_000;
const mostKept = 50;
const loadingTimeoutMs = 20_000;

type Kept = {
  readonly version: string;
  readonly until: number;
  readonly tools: Promise<ConfigTools>;
};

/**
 * Loads the tools of published configs and keeps them in the instance for five minutes, or until the config
 * changes: whether it has, and whether it is still there, is looked up each time. Throws a ConfigUnavailable,
 * a ToolError for a config that is not right, and an UpstreamError when what it names fails.
 */
export const configToolsLoader = (deps: ConfigToolsDeps): LoadConfigTools => {
  const kept = new Map<string, Kept>();
  return async (tenantId, name, { signal, processor, isFresh = false }) => {
    const config = await getIntegrationConfig(deps.db, tenantId, name.configId);
    const version = versionOf(config, name);
    const key = `${tenantId}/${name.configId}`;
    const known = kept.get(key);
    const isGood = known?.version === version && known.until > deps.clock() && !isFresh;
    if (known && isGood) return untilAborted(signal, known.tools);
    const tools = load(deps, tenantId, name, processor);
    const entry = { version, until: deps.clock() + keptForMs, tools };
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, entry);
    tools.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    return untilAborted(signal, tools);
  };
};

/** Differs for any two states that a config was ever in. */
const versionOf = (
  config: IntegrationConfigItem | undefined,
  { integrationId, configId }: ConfigName,
): string => {
  const shown = configId.slice(0, 64);
  if (!config) throw new ConfigUnavailable("unknown", `There is no integration config "${shown}".`);
  if (config.integrationId !== integrationId) {
    const detail = `The integration config "${shown}" is one of "${config.integrationId}", not of "${integrationId}".`;
    throw new ConfigUnavailable("other-integration", detail);
  }
  if (config.publishedRevision === null) {
    const detail = `No revision of the integration config "${shown}" is published.`;
    throw new ConfigUnavailable("unpublished", detail);
  }
  return `${config.publishedRevision}/${config.modifiedAt}`;
};

/** For everybody who waits for it, so that it has a time of its own. */
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
    readPublishedConfig({ db, sealer }, tenantId, configId),
  ]);
  if (!config) throw new ConfigUnavailable("unknown", "The integration config was deleted.");
  const signal = AbortSignal.timeout(loadingTimeoutMs);
  const tools = await integration.tools(config, { outgoing, clock, signal, processor });
  return new Map(tools.map((tool) => [tool.descriptor.id, tool]));
};
