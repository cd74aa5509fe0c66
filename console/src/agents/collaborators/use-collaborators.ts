import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { bodyOf } from "../../../../client/client.ts";
import type { PutCollaboratorBody } from "../../../../client/openapi.ts";
import { useTenant } from "../../app/tenant.ts";
import { useClient } from "../../session/session-context.ts";

const listPath = "/v1/tenants/{tenant}/agents/{agent}/collaborators";

/** Returns the query of the collaborators of an agent, at most 200. */
export const useCollaboratorsQuery = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  return queryOptions({
    queryKey: [tenant, "collaborators", agent],
    queryFn: () => bodyOf(client.GET(listPath, { params: { path: { tenant, agent } } })),
  });
};

/** Lists the collaborators of an agent. */
export const useCollaborators = (agent: string) => useQuery(useCollaboratorsQuery(agent));

/** Invites a user, or updates a collaborator. */
export const usePutCollaborator = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ user, body }: { user: string; body: PutCollaboratorBody }) =>
      bodyOf(client.PUT(`${listPath}/{user}`, { params: { path: { tenant, agent, user } }, body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: [tenant, "collaborators", agent] }),
  });
};

/** Removes a collaborator. */
export const useRemoveCollaborator = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (user: string) =>
      client.DELETE(`${listPath}/{user}`, { params: { path: { tenant, agent, user } } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: [tenant, "collaborators", agent] }),
  });
};
