/** Paths of the API that authorization servers know. */
export const oauthPaths = {
  callback: "/v1/oauth/callback",
  clientMetadata: "/v1/oauth/client-metadata.json",
} as const;

/** Metadata of the installation as a client of authorization servers. */
export const describeClient = (redirectUri: string) => ({
  client_name: "Wharf",
  application_type: "web",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
});
