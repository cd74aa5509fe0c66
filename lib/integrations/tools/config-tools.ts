import type { AccessToken } from "../../engine/tools/access-token.ts";
import { isConfigured, loadIntegration } from "../../engine/tools/configured-integrations.ts";
import { type Tool, ToolError } from "../../engine/tools/tool.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { untilAborted } from "../../platform/outgoing/until-aborted.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { type PublishedConfig, readPublishedConfig } from "../config/read-published-config.ts";
import { getIntegrationConfig, type IntegrationConfigItem } from "../config/store.ts";
import { type AccessTokenDeps, accessTokens } from "../connection/access-tokens.ts";
import { type FindPeople, findNoPeople } from "../connection/connection-owner.ts";
import { authorizeTool, withAccessToken } from "./with-access-token.ts";

/** Dependencies of `configToolsLoader`. */
export type ConfigToolsDeps = AccessTokenDeps;

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
    /** The people of the call, for a config with connections of people. */
    readonly people?: FindPeople | undefined;
  },
) => Promise<ConfigTools>;

/** In the content of a config for which a server may list other tools to each person. */
const personal = '"owner":"endUser"';
const cacheTtlMs = 5 * 60_000;
const maxCacheEntries = 50;
const loadingTimeoutMs = 20_000;

type LoadedTools = { readonly tools: ConfigTools; readonly config: PublishedConfig };

type CacheEntry = {
  readonly version: string;
  readonly expiresAt: number;
  readonly loaded: Promise<LoadedTools>;
};

/**
 * Returns a loader that caches tools in the instance for five minutes, or until the config changes, which each
 * call checks in storage. It throws ConfigUnavailable, ToolError for an invalid config, and UpstreamError.
 */
export const configToolsLoader = (deps: ConfigToolsDeps): LoadConfigTools => {
  const cache = new Map<string, CacheEntry>();
  const { clock } = deps.runtime;
  return async (tenantId, name, { signal, processor, isFresh = false, people = findNoPeople }) => {
    const config = await getIntegrationConfig(deps.db, tenantId, name.configId);
    const version = deriveVersion(config, name);
    const isPersonal = config?.content.includes(personal) ?? false;
    const { endUserId, userId } = isPersonal ? await people() : {};
    const key = JSON.stringify([tenantId, name.configId, endUserId, userId]);
    const cached = cache.get(key);
    const isValid = cached?.version === version && cached.expiresAt > clock() && !isFresh;
    if (cached && isValid) {
      const shared = await untilAborted(signal, cached.loaded);
      const isForOthers = shared.config.oauth?.owner === "endUser" && !isPersonal;
      if (!isForOthers) return authorize(deps, { tenantId, name, people }, shared);
    }
    const loaded = load(deps, { tenantId, name, people }, processor);
    const entry = { version, expiresAt: clock() + cacheTtlMs, loaded };
    if (cache.size >= maxCacheEntries) cache.clear();
    cache.set(key, entry);
    const forget = () => {
      if (cache.get(key) === entry) cache.delete(key);
    };
    loaded.then(({ config: { oauth } }) => {
      if (oauth?.owner === "endUser" && !isPersonal) forget();
    }, forget);
    return authorize(deps, { tenantId, name, people }, await untilAborted(signal, loaded));
  };
};

type Wanted = { tenantId: TenantId; name: ConfigName; people: FindPeople };

/** Returns the tools, with the access token of a connection in each call if the config has one. */
const authorize = (
  deps: ConfigToolsDeps,
  { tenantId, name: { configId }, people }: Wanted,
  { tools, config: { oauth } }: LoadedTools,
): ConfigTools => {
  if (!oauth) return tools;
  const tokens = accessTokens(deps, { tenantId, configId, oauth, people });
  return new Map([...tools].map(([id, tool]) => [id, authorizeTool(tool, tokens)]));
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
  deps: ConfigToolsDeps,
  { tenantId, name: { integrationId, configId }, people }: Wanted,
  processor: ProcessorBudget,
): Promise<LoadedTools> => {
  const { db, sealer, outgoing, runtime } = deps;
  if (!isConfigured(integrationId)) {
    throw new ToolError(`The integration "${integrationId}" has no tools.`);
  }
  const [integration, config] = await Promise.all([
    loadIntegration(integrationId),
    readPublishedConfig({ db, sealer }, { tenantId, configId }),
  ]);
  if (!config) throw new ConfigUnavailable("unknown", "The integration config was deleted.");
  const signal = AbortSignal.timeout(loadingTimeoutMs);
  const { clock } = runtime;
  const list = (accessToken?: AccessToken) =>
    integration.tools(
      { ...config, hasAccessToken: config.oauth !== undefined },
      { outgoing, clock, signal, processor, accessToken },
    );
  const { oauth } = config;
  const needsToken = oauth !== undefined && integration.listsWithToken;
  const tools = needsToken
    ? await withAccessToken(accessTokens(deps, { tenantId, configId, oauth, people }), signal, list)
    : await list();
  return { tools: new Map(tools.map((tool) => [tool.descriptor.id, tool])), config };
};
