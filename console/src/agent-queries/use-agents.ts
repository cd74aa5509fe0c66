import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { Agent, CreateAgentBody } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const agentPath = "/v1/tenants/{tenant}/agents/{agent}";

/** Lists the agents. */
export const useAgents = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Agent>({
    queryKey: [tenant, "agents"],
    getId: ({ id }) => id,
    read: (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/agents", { params: { path: { tenant }, query } }),
      ),
  });
};

/** Reads an agent. */
export const useAgent = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "agents", agent],
    queryFn: () => unwrapBody(client.GET(agentPath, { params: { path: { tenant, agent } } })),
  });
};

/** Creates an agent, or changes the name and description of the one with this id. */
export const useSaveAgent = (agent?: string) =>
  useAction(
    ["agents"],
    ({ client, tenant }, body: CreateAgentBody) =>
      agent === undefined
        ? unwrapBody(
            client.POST("/v1/tenants/{tenant}/agents", { params: { path: { tenant } }, body }),
          )
        : unwrapBody(client.PATCH(agentPath, { params: { path: { tenant, agent } }, body })),
    { done: ({ displayName }) => (agent === undefined ? undefined : `Saved ${displayName}.`) },
  );

/** Deletes an agent. */
export const useDeleteAgent = (agent: string) =>
  useAction(
    ["agents"],
    ({ client, tenant }) => client.DELETE(agentPath, { params: { path: { tenant, agent } } }),
    { removed: ["agents", agent] },
  );
