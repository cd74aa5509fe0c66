import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type {
  CreateRevisionBody,
  DeployRevisionBody,
  RevisionSummary,
} from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const revisionsPath = "/v1/tenants/{tenant}/agents/{agent}/revisions";

/** Lists the revisions of an agent, newest first. */
export const useRevisions = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<RevisionSummary>({
    queryKey: [tenant, "agents", agent, "revisions"],
    getId: ({ agentRevision }) => String(agentRevision),
    read: (query) =>
      unwrapBody(client.GET(revisionsPath, { params: { path: { tenant, agent }, query } })),
  });
};

/** Reads a revision, which never changes; none without a number. */
export const useRevision = (agent: string, revision: number | null) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "agents", agent, "revisions", revision],
    enabled: revision !== null,
    staleTime: 60_000,
    queryFn: () =>
      unwrapBody(
        client.GET(`${revisionsPath}/{revision}`, {
          params: { path: { tenant, agent, revision: revision ?? 0 } },
        }),
      ),
  });
};

/** Creates a revision. */
export const useCreateRevision = (agent: string) =>
  useAction(["agents"], ({ client, tenant }, body: CreateRevisionBody) =>
    unwrapBody(client.POST(revisionsPath, { params: { path: { tenant, agent } }, body })),
  );

/** Deploys a revision, or returns to an earlier one; only after required results, if the body has some. */
export const useDeployRevision = (agent: string) =>
  useAction(
    ["agents"],
    ({ client, tenant }, { revision, body }: { revision: number; body: DeployRevisionBody }) =>
      unwrapBody(
        client.POST(`${revisionsPath}/{revision}:deploy`, {
          params: { path: { tenant, agent, revision } },
          body,
        }),
      ),
  );
