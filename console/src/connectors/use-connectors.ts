import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type {
  Connector,
  CreateConnectorBody,
  UpdateConnectorBody,
} from "../../../client/openapi.ts";
import { useListOfAgents } from "../agent-queries/use-list-of-agents.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";

const connectorsPath = "/v1/tenants/{tenant}/agents/{agent}/connectors";
const connectorPath = `${connectorsPath}/{connector}` as const;

/** Lists the connectors of an agent, or of all agents. */
export const useConnectors = (agent: string | undefined) => {
  const client = useClient();
  const tenant = useTenant();
  return useListOfAgents<Connector>({
    queryKey: ["connectors"],
    agent,
    getId: ({ id }) => id,
    read: (of, query) =>
      unwrapBody(client.GET(connectorsPath, { params: { path: { tenant, agent: of }, query } })),
  });
};

/** Reads a connector. */
export const useConnector = (agent: string, connector: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "connectors", agent, connector],
    queryFn: () =>
      unwrapBody(client.GET(connectorPath, { params: { path: { tenant, agent, connector } } })),
  });
};

/** Creates a connector of an agent. */
export const useCreateConnector = () =>
  useAction(
    ["connectors"],
    ({ client, tenant }, { agent, body }: { agent: string; body: CreateConnectorBody }) =>
      unwrapBody(client.POST(connectorsPath, { params: { path: { tenant, agent } }, body })),
  );

/** Changes a connector. */
export const useUpdateConnector = ({ agentId: agent, id: connector }: Connector) =>
  useAction(
    ["connectors"],
    ({ client, tenant }, body: UpdateConnectorBody) =>
      unwrapBody(
        client.PATCH(connectorPath, { params: { path: { tenant, agent, connector } }, body }),
      ),
    { done: ({ name }) => `Saved ${name}.` },
  );

/** Deletes a connector. */
export const useDeleteConnector = ({ agentId: agent, id: connector }: Connector) =>
  useAction(
    ["connectors"],
    ({ client, tenant }) =>
      client.DELETE(connectorPath, { params: { path: { tenant, agent, connector } } }),
    { removed: ["connectors", agent, connector] },
  );

/** Calls the provider with the credentials of a connector. */
export const useTestConnector = ({ agentId: agent, id: connector }: Connector) =>
  useAction([], ({ client, tenant }) =>
    unwrapBody(
      client.POST(`${connectorPath}:test`, { params: { path: { tenant, agent, connector } } }),
    ),
  );
