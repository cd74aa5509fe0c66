import { isConfigured } from "../../engine/tools/configured-integrations.ts";
import type { Tool, ToolRegistry } from "../../engine/tools/tool.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound, validationFailed } from "../../platform/http/problems.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { ConfigUnavailable, type LoadConfigTools } from "./config-tools.ts";

/** What finding tools needs. */
export type FindToolsDeps = {
  readonly builtIn: ToolRegistry;
  readonly loadTools: LoadConfigTools;
};

/** Which tools are wanted; `pointer` leads to where the request names the config. */
export type WantedTools = {
  readonly tenantId: TenantId;
  readonly integrationId: string;
  readonly configId: string | undefined;
  readonly pointer: string;
  readonly signal: AbortSignal;
  readonly processor: ProcessorBudget;
  readonly isFresh?: boolean;
};

/**
 * The tools of an integration, by id. Throws 404 for an unknown integration or config, 400 where a config is
 * missing, too many or not published; ToolErrors and UpstreamErrors as the config's integration does.
 */
export const findTools = async (
  { builtIn, loadTools }: FindToolsDeps,
  { tenantId, integrationId, configId, pointer, ...options }: WantedTools,
): Promise<ReadonlyMap<string, Tool>> => {
  const tools = builtIn.list().get(integrationId);
  if (tools) {
    if (configId === undefined) return new Map(tools.map((tool) => [tool.descriptor.id, tool]));
    throw validationFailed([{ pointer, detail: `"${integrationId}" takes no config` }]);
  }
  if (!isConfigured(integrationId)) throw notFound("integration with tools", integrationId);
  if (configId === undefined) {
    const detail = `is required: the tools of "${integrationId}" are told by a config`;
    throw validationFailed([{ pointer, detail }]);
  }
  try {
    return await loadTools(tenantId, { integrationId, configId }, options);
  } catch (error) {
    if (!(error instanceof ConfigUnavailable)) throw error;
    if (error.reason === "unknown") throw notFound("integration config", configId);
    throw validationFailed([{ pointer, detail: error.message }]);
  }
};
