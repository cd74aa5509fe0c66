import { publicEndpoint } from "../../lib/edge/public-endpoint.ts";
import { resourceMetadataPath } from "../../lib/platform/http/protected-resource.ts";
import { authorizationServer } from "../../lib/platform/runtime/env.ts";
import * as rows from "./routes.ts";

// Whether there is such a server is not looked up: the response shows nothing of a tenant.
export const handler = publicEndpoint(rows.getMcpResource, ({ ctx }) => {
  const { baseUrl, path } = ctx;
  const server = authorizationServer();
  const ownPath = path.slice(path.indexOf(resourceMetadataPath) + resourceMetadataPath.length);
  return {
    resource: baseUrl + ownPath,
    authorization_servers: [server === "same-origin" ? baseUrl : server],
    scopes_supported: [rows.callMcp.scope],
    bearer_methods_supported: ["header"],
  };
});
