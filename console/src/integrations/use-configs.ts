import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type {
  CreateIntegrationConfigBody,
  IntegrationConfig,
  UpdateIntegrationConfigBody,
} from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const configsPath = "/v1/tenants/{tenant}/integration-configs";
const configPath = "/v1/tenants/{tenant}/integration-configs/{config}";

/** Lists the configs. */
export const useConfigs = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<IntegrationConfig>({
    queryKey: [tenant, "integration-configs"],
    getId: ({ id }) => id,
    read: (query) => unwrapBody(client.GET(configsPath, { params: { path: { tenant }, query } })),
  });
};

/** Reads the latest revision of a config. */
export const useConfig = (config: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "integration-configs", config],
    queryFn: () => unwrapBody(client.GET(configPath, { params: { path: { tenant, config } } })),
  });
};

type CreatedConfig = { body: CreateIntegrationConfigBody; isPublished: boolean };

/** Creates a config, and publishes it if asked to. */
export const useCreateConfig = () =>
  useAction(
    ["integration-configs"],
    async ({ client, tenant }, { body, isPublished }: CreatedConfig) => {
      const created = await unwrapBody(
        client.POST(configsPath, { params: { path: { tenant } }, body }),
      );
      if (isPublished) {
        const path = { tenant, config: created.id };
        // The config exists now: its page shows that it is not published, and has the button to
        // retry.
        await client
          .POST(`${configPath}:publish`, { params: { path }, body: {} })
          .catch(() => undefined);
      }
      return created;
    },
  );

/** Creates the next revision of a config, or turns its MCP server on or off. */
export const useUpdateConfig = (config: string) =>
  useAction(
    ["integration-configs"],
    ({ client, tenant }, body: UpdateIntegrationConfigBody) =>
      unwrapBody(client.PATCH(configPath, { params: { path: { tenant, config } }, body })),
    {
      done: ({ latestRevision }, { exposeMcp }) =>
        exposeMcp === undefined ? `Saved revision ${latestRevision}.` : undefined,
    },
  );

/** Publishes a revision of a config. */
export const usePublishConfig = (config: string) =>
  useAction(
    ["integration-configs"],
    ({ client, tenant }, revision: number) =>
      unwrapBody(
        client.POST(`${configPath}:publish`, {
          params: { path: { tenant, config } },
          body: { revision },
        }),
      ),
    { done: (_result, revision) => `Published revision ${revision}.` },
  );

/** Replaces the secret of the key of a config's MCP server. */
export const useRotateMcpKey = (config: string) =>
  useAction(["integration-configs"], ({ client, tenant }) =>
    unwrapBody(
      client.POST(`${configPath}:rotate-mcp-key`, { params: { path: { tenant, config } } }),
    ),
  );

/** Deletes a config. */
export const useDeleteConfig = (config: string) =>
  useAction(["integration-configs"], ({ client, tenant }) =>
    client.DELETE(configPath, { params: { path: { tenant, config } } }),
  );
