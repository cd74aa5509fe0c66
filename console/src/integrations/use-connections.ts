import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { Connection } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const connectionsPath = "/v1/tenants/{tenant}/connections";
const connectionPath = "/v1/tenants/{tenant}/connections/{connection}";

/** Lists the connections of a config. */
export const useConnections = (integrationConfigId: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Connection>({
    queryKey: [tenant, "connections", integrationConfigId],
    getId: ({ id }) => id,
    read: (page) => {
      const query = { ...page, integrationConfigId };
      return unwrapBody(client.GET(connectionsPath, { params: { path: { tenant }, query } }));
    },
  });
};

/** Reads the redirect URL of this deployment, which a client at an authorization server must register. */
export const useRedirectUrl = () => {
  const client = useClient();
  return useQuery({
    queryKey: ["redirect-url"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const metadata = await unwrapBody(client.GET("/v1/oauth/client-metadata.json"));
      return metadata.redirect_uris[0] ?? "";
    },
  });
};

/**
 * Prepares a consent of an end user, or without one of the caller or for all; the result has the address at which a person
 * gives it. A refused one may have created a connection, such as one without a person that got no token.
 */
export const useCreateConnection = (integrationConfigId: string) =>
  useAction(
    ["connections"],
    ({ client, tenant }, endUserId: string | undefined) =>
      unwrapBody(
        client.POST(connectionsPath, {
          params: { path: { tenant } },
          body: { integrationConfigId, ...(endUserId !== undefined && { endUserId }) },
        }),
      ),
    { isReadAfterRefusal: true },
  );

/** Deletes a connection and revokes its tokens. */
export const useDeleteConnection = () =>
  useAction(
    ["connections"],
    ({ client, tenant }, connection: string) =>
      client.DELETE(connectionPath, { params: { path: { tenant, connection } } }),
    { isReadAfterRefusal: true },
  );
