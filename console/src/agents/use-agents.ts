import { useMutation, useQueryClient } from "@tanstack/react-query";
import { bodyOf } from "../../../client/client.ts";
import type { Agent, CreateAgentBody } from "../../../client/openapi.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";
import { useList } from "../shared/use-list.ts";

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
