import { useQueries } from "@tanstack/react-query";
import { unwrapBody } from "../../../../../client/client.ts";
import type { IntegrationTool } from "../../../../../client/openapi.ts";
import { iterateItems } from "../../../../../client/pages.ts";
import { useConfigs } from "../../../integrations/use-configs.ts";
import { useCatalog } from "../../../integrations/use-integrations.ts";
import { useClient } from "../../../session/session-context.ts";
import { useTenant } from "../../../session/tenant.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import { toolKey } from "./tool-keys.ts";

/** A tool that a step can use. */
export type ToolChoice = {
  /** Its reference as a text, which identifies it. */
  value: string;
  label: string;
  /** Name of its integration or config. */
  group: string;
  tool: IntegrationTool;
};

const keepMilliseconds = 60_000;
const toolsPath = "/v1/tenants/{tenant}/integrations/{integration}/tools";

/** Reads the tools of the integrations, and of the published configs. */
export const useToolChoices = (): readonly ToolChoice[] => {
  const client = useClient();
  const tenant = useTenant();
  const catalog = useCatalog().data ?? [];
  const configs = useLoadAll(useConfigs()).items;
  const sources = [
    ...catalog
      .filter(({ hasTools, needsConfig }) => hasTools && !needsConfig)
      .map(({ id, displayName }) => ({ integration: id, name: displayName, configId: undefined })),
    ...configs
      .filter(({ publishedRevision, integrationId }) => {
        const integration = catalog.find(({ id }) => id === integrationId);
        return publishedRevision !== null && integration?.hasTools === true;
      })
      .map(({ id, integrationId, displayName }) => ({
        integration: integrationId,
        name: displayName,
        configId: id,
      })),
  ];
  return useQueries({
    queries: sources.map(({ integration, name, configId }) => ({
      queryKey: [tenant, "integrations", integration, "all tools", { configId }],
      staleTime: keepMilliseconds,
      retry: false,
      queryFn: async () => {
        const path = { tenant, integration };
        const ofConfig = configId === undefined ? {} : { configId };
        const tools = await Array.fromAsync(
          iterateItems((page) =>
            unwrapBody(
              client.GET(toolsPath, { params: { path, query: { ...page, ...ofConfig } } }),
            ),
          ),
        );
        return tools.map((tool): ToolChoice => {
          const ref = { integrationId: integration, toolId: tool.id, ...ofConfig };
          return { value: toolKey(ref), label: tool.displayName, group: name, tool };
        });
      },
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
};
