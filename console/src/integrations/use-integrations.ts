import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { IntegrationTool, RunToolBody } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const toolsPath = "/v1/tenants/{tenant}/integrations/{integration}/tools";

/** Reads the catalog. */
export const useCatalog = () => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "integrations"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      unwrapBody(client.GET("/v1/tenants/{tenant}/integrations", { params: { path: { tenant } } })),
  });
};

/** Tools of an integration, or of the published revision of a config. */
export type ToolSource = { integration: string; configId?: string; revision?: number };

/** Lists the tools of a source. */
export const useTools = ({ integration, configId, revision }: ToolSource) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<IntegrationTool>({
    queryKey: [tenant, "integrations", integration, "tools", { configId, revision }],
    getId: ({ id }) => id,
    read: (page) =>
      unwrapBody(
        client.GET(toolsPath, {
          params: {
            path: { tenant, integration },
            query: { ...page, ...(configId !== undefined && { configId }) },
          },
        }),
      ),
  });
};

/** Runs a tool. */
export const useRunTool = (integration: string, tool: string) =>
  useAction([], ({ client, tenant }, body: RunToolBody) =>
    unwrapBody(
      client.POST(`${toolsPath}/{tool}:run`, {
        params: { path: { tenant, integration, tool } },
        body,
      }),
    ),
  );
