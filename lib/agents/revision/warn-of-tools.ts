import { checkToolParameters } from "../../engine/flow/tool-ref.ts";
import { loadIntegration } from "../../engine/tools/configured-integrations.ts";
import { type Tool, ToolError } from "../../engine/tools/tool.ts";
import {
  getIntegrationRevision,
  type IntegrationConfigItem,
} from "../../integrations/config/store.ts";
import { readContent } from "../../integrations/config/to-integration-config.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import type { RevisionContent } from "./content.ts";
import { type PlacedTool, toolsInFlow } from "./flow-parts.ts";
import type { NamedConfigs } from "./named-tools.ts";

type Deps = { db: Database; clock: () => number; processor: ProcessorBudget };

/**
 * Finds the tools of a flow that its integration configs do not have. Tools are known for a published config of
 * `openapi` that stores its `document`; nothing outside is asked. A config may change before the flow runs, so that
 * these are warnings.
 */
export const findToolWarnings = async (
  deps: Deps,
  {
    tenantId,
    content,
    configs,
  }: { tenantId: TenantId; content: RevisionContent; configs: NamedConfigs },
): Promise<ValidationIssue[]> => {
  const warnings: ValidationIssue[] = [];
  const byConfig = Map.groupBy(toolsInFlow(content), ({ configId }) => configId ?? "");
  for (const [configId, named] of byConfig) {
    const config = configs.get(configId);
    if (config) warnings.push(...(await findWarnings(deps, tenantId, config, named)));
  }
  return warnings.slice(0, maxWarnings);
};

const maxWarnings = 50;

const findWarnings = async (
  deps: Deps,
  tenantId: TenantId,
  config: IntegrationConfigItem,
  named: readonly PlacedTool[],
): Promise<ValidationIssue[]> => {
  if (config.publishedRevision === null) {
    const detail = "is a config without a published revision: publish it before the agent runs";
    return named.map(({ pointer }) => ({ pointer: `${pointer}/configId`, detail }));
  }
  try {
    const tools = await knownTools(deps, tenantId, config);
    return tools ? named.flatMap((tool) => listToolWarnings(tool, tools)) : [];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const detail = `is a config with tools that cannot be read: ${error.message}`;
    return named.map(({ pointer }) => ({ pointer: `${pointer}/configId`, detail }));
  }
};

/** Returns the tools of a config that stores its document; undefined where only a server knows them. */
const knownTools = async (
  { db, clock, processor }: Deps,
  tenantId: TenantId,
  { id, integrationId, publishedRevision, latestRevision, ...latest }: IntegrationConfigItem,
): Promise<ReadonlyMap<string, Tool> | undefined> => {
  if (integrationId !== "openapi" || publishedRevision === null) return undefined;
  const published =
    publishedRevision === latestRevision
      ? latest
      : await getIntegrationRevision(db, tenantId, id, publishedRevision);
  const parameters = published ? readContent(published).parameters : {};
  if (typeof parameters.document !== "string" || parameters.document.trim() === "") {
    return undefined;
  }
  const { tools } = await loadIntegration(integrationId);
  const signal = AbortSignal.timeout(readingMs);
  const found = await tools({ parameters, auth: {} }, { outgoing: {}, clock, signal, processor });
  return new Map(found.map((tool) => [tool.descriptor.id, tool]));
};

const readingMs = 10_000;

const listToolWarnings = (
  { pointer, toolId, parameters }: PlacedTool,
  tools: ReadonlyMap<string, Tool>,
): ValidationIssue[] => {
  const tool = tools.get(toolId);
  if (!tool) {
    const detail = didYouMean(
      `the config has no tool "${toolId.slice(0, 128)}"`,
      toolId,
      tools.keys(),
    );
    return [{ pointer: `${pointer}/toolId`, detail }];
  }
  const problems = parameters ? checkToolParameters(tool.descriptor, parameters) : [];
  return problems.map(({ pointer: inner, detail }) => ({ pointer: pointer + inner, detail }));
};
