import { publicEndpoint } from "../../lib/edge/public-endpoint.ts";
import { describeClient, oauthPaths } from "../../lib/integrations/oauth/oauth-paths.ts";
import * as rows from "./routes.ts";

export const handler = publicEndpoint(rows.getClientMetadata, ({ ctx: { baseUrl } }) => ({
  client_id: baseUrl + oauthPaths.clientMetadata,
  client_uri: baseUrl,
  ...describeClient(baseUrl + oauthPaths.callback),
}));
