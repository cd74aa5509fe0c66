import { useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type {
  Agent,
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

const revisionKey = (tenant: string, agent: string, revision: number | null) =>
  [tenant, "agents", agent, "revisions", revision] as const;

/** Reads a revision, which never changes; none without a number. */
export const useRevision = (agent: string, revision: number | null) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: revisionKey(tenant, agent, revision),
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

/** Creates a revision, which the editor then shows without reading it or the agent. */
export const useCreateRevision = (agent: string) => {
  const cache = useQueryClient();
  return useAction(
    ["agents"],
    async ({ client, tenant }, body: CreateRevisionBody) => {
      const params = { path: { tenant, agent } };
      const created = await unwrapBody(client.POST(revisionsPath, { params, body }));
      const { warnings: _, ...revision } = created;
      const latestRevision = revision.agentRevision;
      cache.setQueryData(revisionKey(tenant, agent, latestRevision), revision);
      cache.setQueryData<Agent>(
        [tenant, "agents", agent],
        (known) => known && { ...known, latestRevision },
      );
      return created;
    },
    { done: ({ agentRevision }) => `Saved revision ${agentRevision}.` },
  );
};

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
    { done: (_result, { revision }) => `Deployed revision ${revision}.` },
  );
