import { isConfigured } from "../../engine/tools/configured-integrations.ts";
import type { Tool, ToolRegistry } from "../../engine/tools/tool.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound, validationFailed } from "../../platform/http/problems.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { FindPeople } from "../connection/connection-owner.ts";
import { ConfigUnavailable, type LoadConfigTools } from "./config-tools.ts";

/** Dependencies of `findTools`. */
export type FindToolsDeps = {
  readonly builtIn: ToolRegistry;
  readonly loadTools: LoadConfigTools;
  readonly storage: { readonly db: Database; readonly sealer: Sealer };
};

/** Identifies tools to find; `pointer` is where the request names the config. */
export type WantedTools = {
  readonly tenantId: TenantId;
  readonly integrationId: string;
  readonly configId: string | undefined;
  readonly pointer: string;
  readonly signal: AbortSignal;
  readonly processor: ProcessorBudget;
  readonly isFresh?: boolean;
  readonly people?: FindPeople | undefined;
};

/**
 * Returns the tools of an integration by id. Throws 404 for an unknown integration or config, 400 for a missing,
 * unexpected or unpublished config, and the ToolErrors and UpstreamErrors of the config's integration.
 */
export const findTools = async (
  { builtIn, loadTools }: FindToolsDeps,
  { tenantId, integrationId, configId, pointer, ...options }: WantedTools,
): Promise<ReadonlyMap<string, Tool>> => {
  const tools = builtIn.list().get(integrationId);
  if (tools) {
    if (configId === undefined) return new Map(tools.map((tool) => [tool.descriptor.id, tool]));
    throw validationFailed([{ pointer, detail: `"${integrationId}" does not accept a config` }]);
  }
  if (!isConfigured(integrationId)) throw notFound("integration with tools", integrationId);
  if (configId === undefined) {
    const detail = `is required for the tools of "${integrationId}"`;
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
