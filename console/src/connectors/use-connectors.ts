import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { bodyOf, type WharfClient } from "../../../client/client.ts";
import type {
  Connector,
  ConnectorTest,
  CreateConnectorBody,
  UpdateConnectorBody,
} from "../../../client/openapi.ts";
import { useListOfAgents } from "../agents/use-list-of-agents.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";

const connectorsPath = "/v1/tenants/{tenant}/agents/{agent}/connectors";
const connectorPath = `${connectorsPath}/{connector}` as const;

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

/** Reads a connector. */
export const useConnector = (agent: string, connector: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "connectors", agent, connector],
    queryFn: () =>
      bodyOf(client.GET(connectorPath, { params: { path: { tenant, agent, connector } } })),
  });
};

/** A change of connectors, after which they are read again. */
const useConnectorChange = <Input, Result>(
  change: (client: WharfClient, tenant: string, input: Input) => Promise<Result>,
) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(client, tenant, input),
    onSuccess: () => cache.invalidateQueries({ queryKey: [tenant, "connectors"] }),
    // Credentials that were sent are not kept.
    gcTime: 0,
  });
};

/** Creates a connector of an agent. */
export const useCreateConnector = () =>
  useConnectorChange<{ agent: string; body: CreateConnectorBody }, Connector>(
    (client, tenant, { agent, body }) =>
      bodyOf(client.POST(connectorsPath, { params: { path: { tenant, agent } }, body })),
  );

/** Changes a connector. */
export const useUpdateConnector = ({ agentId: agent, id: connector }: Connector) =>
  useConnectorChange<UpdateConnectorBody, Connector>((client, tenant, body) =>
    bodyOf(client.PATCH(connectorPath, { params: { path: { tenant, agent, connector } }, body })),
  );

/** Deletes a connector. */
export const useDeleteConnector = ({ agentId: agent, id: connector }: Connector) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () =>
      client.DELETE(connectorPath, { params: { path: { tenant, agent, connector } } }),
    onSuccess: () => {
      cache.removeQueries({ queryKey: [tenant, "connectors", agent, connector] });
      return cache.invalidateQueries({ queryKey: [tenant, "connectors"] });
    },
  });
};

/** Calls the provider with the credentials of a connector. */
export const useTestConnector = ({ agentId: agent, id: connector }: Connector) => {
  const client = useClient();
  const tenant = useTenant();
  return useMutation<ConnectorTest, unknown, void>({
    mutationFn: () =>
      bodyOf(
        client.POST(`${connectorPath}:test`, { params: { path: { tenant, agent, connector } } }),
      ),
  });
};
