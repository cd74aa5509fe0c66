import { unwrapBody } from "../../../../client/client.ts";
import type { Memory } from "../../../../client/openapi.ts";
import { useClient } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { useAction } from "../../shared/use-action.ts";
import { useList } from "../../shared/use-list.ts";

const memoriesPath = "/v1/tenants/{tenant}/agents/{agent}/memories";

/** Lists the memories of a namespace, newest first; new ones appear by themselves. */
export const useMemories = (agent: string, namespace: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Memory>({
    queryKey: [tenant, "memories", agent, namespace],
    getId: ({ id }) => id,
    isLive: true,
    liveMilliseconds: 10_000,
    read: (page) =>
      unwrapBody(
        client.GET(memoriesPath, {
          params: { path: { tenant, agent }, query: { ...page, namespace } },
        }),
      ),
  });
};

/** Deletes a memory. */
export const useDeleteMemory = (agent: string, memory: string) =>
  useAction(["memories"], ({ client, tenant }) =>
    client.DELETE(`${memoriesPath}/{memory}`, { params: { path: { tenant, agent, memory } } }),
  );

/** Deletes all memories of a namespace. */
export const useDeleteMemories = (agent: string, namespace: string) =>
  useAction(["memories"], ({ client, tenant }) =>
    client.DELETE(memoriesPath, { params: { path: { tenant, agent }, query: { namespace } } }),
  );
