import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type WharfClient } from "../../../client/client.ts";
import type {
  CreateIntegrationConfigBody,
  IntegrationConfig,
  UpdateIntegrationConfigBody,
} from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";
import { useList } from "../shared/use-list.ts";

const configsPath = "/v1/tenants/{tenant}/integration-configs";
const configPath = "/v1/tenants/{tenant}/integration-configs/{config}";

/** Lists the configs. */
export const useConfigs = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<IntegrationConfig>({
    queryKey: [tenant, "integration-configs"],
    idOf: ({ id }) => id,
    read: (query) => bodyOf(client.GET(configsPath, { params: { path: { tenant }, query } })),
  });
};

/** Reads the latest revision of a config. */
export const useConfig = (config: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "integration-configs", config],
    queryFn: () => bodyOf(client.GET(configPath, { params: { path: { tenant, config } } })),
  });
};

/** A change of configs, after which they are read again. Credentials and keys are not kept. */
const useConfigChange = <Input, Result>(
  change: (client: WharfClient, tenant: string, input: Input) => Promise<Result>,
) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(client, tenant, input),
    onSuccess: () => cache.invalidateQueries({ queryKey: [tenant, "integration-configs"] }),
    gcTime: 0,
  });
};

/** Creates a config, and publishes it if asked to. */
export const useCreateConfig = () =>
  useConfigChange<{ body: CreateIntegrationConfigBody; isPublished: boolean }, IntegrationConfig>(
    async (client, tenant, { body, isPublished }) => {
      const created = await bodyOf(
        client.POST(configsPath, { params: { path: { tenant } }, body }),
      );
      if (isPublished) {
        const path = { tenant, config: created.id };
        // The config exists now: its page says that it is not published, and has the button to try again.
        await client
          .POST(`${configPath}:publish`, { params: { path }, body: {} })
          .catch(() => undefined);
      }
      return created;
    },
  );

/** Creates the next revision of a config, or turns its MCP server on or off. */
export const useUpdateConfig = (config: string) =>
  useConfigChange<UpdateIntegrationConfigBody, IntegrationConfig>((client, tenant, body) =>
    bodyOf(client.PATCH(configPath, { params: { path: { tenant, config } }, body })),
  );

/** Publishes a revision of a config. */
export const usePublishConfig = (config: string) =>
  useConfigChange<number, IntegrationConfig>((client, tenant, revision) =>
    bodyOf(
      client.POST(`${configPath}:publish`, {
        params: { path: { tenant, config } },
        body: { revision },
      }),
    ),
  );

/** Replaces the secret of the key of a config's MCP server. */
export const useRotateMcpKey = (config: string) =>
  useConfigChange<void, IntegrationConfig>((client, tenant) =>
    bodyOf(client.POST(`${configPath}:rotate-mcp-key`, { params: { path: { tenant, config } } })),
  );

/** Deletes a config. */
export const useDeleteConfig = (config: string) =>
  useConfigChange<void, unknown>((client, tenant) =>
    client.DELETE(configPath, { params: { path: { tenant, config } } }),
  );
