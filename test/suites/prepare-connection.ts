import * as z from "zod";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";

const Created = z.object({ id: z.string() });
const Connected = Created.extend({ authorizeUrl: z.string() });

/** Creates a config with OAuth 2, and a connection for the rows with one in their paths. */
export const prepareConnection = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  { group, path }: Route,
): Promise<{ params: Record<string, string>; named: Record<string, unknown> }> => {
  if (group !== "connections" || !path.includes("{tenant}")) return { params: {}, named: {} };
  const config = await own.send("POST", "/integration-configs", {
    integrationId: "openapi",
    parameters: { document: '{"openapi":"3.1.0","paths":{}}', baseUrl: "https://api.example.com" },
    auth: {
      type: "oauth2",
      authorizationUrl: "https://login.example.com/authorize",
      tokenUrl: "https://login.example.com/token",
      clientId: "wharf",
      clientSecret: "a-client-secret",
    },
  });
  const integrationConfigId = Created.parse(config.body).id;
  await own.send("POST", `/integration-configs/${integrationConfigId}:publish`, {});
  const named = path.endsWith("/connections") ? { integrationConfigId } : {};
  if (!path.includes("{connection")) return { params: {}, named };
  const { body } = await own.send("POST", "/connections", { integrationConfigId });
  const { id: connection, authorizeUrl } = Connected.parse(body);
  return { params: { connection, connectionToken: authorizeUrl.split("/").at(-1) ?? "" }, named };
};
