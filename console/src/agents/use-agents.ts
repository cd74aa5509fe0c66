import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { bodyOf } from "../../../client/client.ts";
import type { Agent, CreateAgentBody, UpdateAgentBody } from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";
import { useList } from "../shared/use-list.ts";

const agentPath = "/v1/tenants/{tenant}/agents/{agent}";

/** Lists the agents. */
export const useAgents = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Agent>({
    queryKey: [tenant, "agents"],
    idOf: ({ id }) => id,
    read: (query) =>
      bodyOf(client.GET("/v1/tenants/{tenant}/agents", { params: { path: { tenant }, query } })),
  });
};

/** Reads an agent. */
export const useAgent = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "agents", agent],
    queryFn: () => bodyOf(client.GET(agentPath, { params: { path: { tenant, agent } } })),
  });
};

/** Creates an agent. */
export const useCreateAgent = () => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateAgentBody) =>
      bodyOf(client.POST("/v1/tenants/{tenant}/agents", { params: { path: { tenant } }, body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: [tenant, "agents"] }),
  });
};

/** Changes the name and description of an agent. */
export const useUpdateAgent = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateAgentBody) =>
      bodyOf(client.PATCH(agentPath, { params: { path: { tenant, agent } }, body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: [tenant, "agents"] }),
  });
};

/** Deletes an agent. */
export const useDeleteAgent = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.DELETE(agentPath, { params: { path: { tenant, agent } } }),
    onSuccess: () => {
      cache.removeQueries({ queryKey: [tenant, "agents", agent] });
      return cache.invalidateQueries({ queryKey: [tenant, "agents"] });
    },
  });
};
