import { queryOptions, useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { PutCollaboratorBody } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";

const listPath = "/v1/tenants/{tenant}/agents/{agent}/collaborators";

/** Returns the query of the collaborators of an agent, at most 200. */
export const useCollaboratorsQuery = () => {
  const client = useClient();
  const tenant = useTenant();
  return (agent: string) =>
    queryOptions({
      queryKey: [tenant, "collaborators", agent],
      queryFn: () => unwrapBody(client.GET(listPath, { params: { path: { tenant, agent } } })),
    });
};

/** Lists the collaborators of an agent. */
export const useCollaborators = (agent: string) => useQuery(useCollaboratorsQuery()(agent));

/** Invites a user, or updates a collaborator. */
export const usePutCollaborator = (agent: string) =>
  useAction(
    ["collaborators"],
    ({ client, tenant }, { user, body }: { user: string; body: PutCollaboratorBody }) =>
      unwrapBody(
        client.PUT(`${listPath}/{user}`, { params: { path: { tenant, agent, user } }, body }),
      ),
    { done: ({ userId }) => `Saved ${userId}.` },
  );

/** Removes a collaborator. */
export const useRemoveCollaborator = (agent: string) =>
  useAction(["collaborators"], ({ client, tenant }, user: string) =>
    client.DELETE(`${listPath}/{user}`, { params: { path: { tenant, agent, user } } }),
  );
