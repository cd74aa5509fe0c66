import { unwrapBody } from "../../../../client/client.ts";
import type { Agent, IntegrationConfig } from "../../../../client/openapi.ts";
import { useConfigs } from "../../integrations/use-configs.ts";
import { useAction } from "../../shared/use-action.ts";

const configsPath = "/v1/tenants/{tenant}/integration-configs";
const configPath = `${configsPath}/{config}` as const;

const offers = ({ exposeMcp, parameters }: IntegrationConfig, agent: string): boolean =>
  exposeMcp && Array.isArray(parameters.agents) && parameters.agents.includes(agent);

/** Lists the MCP servers that offer an agent. */
export const useMcpServers = (agent: string): readonly IntegrationConfig[] =>
  useConfigs().items.filter((config) => offers(config, agent));

/** Creates an MCP server that offers an agent. If it cannot be published it is deleted, because its key was not shown. */
export const useCreateMcpServer = ({ id, displayName }: Pick<Agent, "id" | "displayName">) =>
  useAction(["integration-configs", "api-keys"], async ({ client, tenant }) => {
    const body = {
      integrationId: "system",
      displayName: `MCP: ${displayName}`,
      parameters: { agents: [id], tools: [] },
      exposeMcp: true,
    };
    const created = await unwrapBody(
      client.POST(configsPath, { params: { path: { tenant } }, body }),
    );
    const params = { path: { tenant, config: created.id } };
    try {
      await client.POST(`${configPath}:publish`, { params });
    } catch (error) {
      await client.DELETE(configPath, { params }).catch(() => undefined);
      throw error;
    }
    return created;
  });
