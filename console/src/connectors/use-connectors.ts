import { bodyOf } from "../../../client/client.ts";
import type { Connector } from "../../../client/openapi.ts";
import { useListOfAgents } from "../agents/use-list-of-agents.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";

const connectorsPath = "/v1/tenants/{tenant}/agents/{agent}/connectors";

/** Lists the connectors of an agent, or of all agents. */
export const useConnectors = (agent: string | undefined) => {
  const client = useClient();
  const tenant = useTenant();
  return useListOfAgents<Connector>({
    queryKey: ["connectors"],
    agent,
    idOf: ({ id }) => id,
    read: (of, query) =>
      bodyOf(client.GET(connectorsPath, { params: { path: { tenant, agent: of }, query } })),
  });
};
