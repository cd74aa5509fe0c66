/** Path before which the metadata of a protected resource has its own path (RFC 9728, 3.1). */
export const resourceMetadataPath = "/.well-known/oauth-protected-resource";

/**
 * Returns the URL of a resource below the API, and that of its metadata. `path`: a template such as `/v1/things/{thing}`, the
 * values of which are percent-encoded.
 */
export const buildResourceUrls = (
  baseUrl: string,
  path: string,
  values: Readonly<Record<string, string>>,
): { resource: string; metadata: string } => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  return {
    resource: baseUrl + filled,
    metadata: baseUrl + resourceMetadataPath + filled,
  };
};

/** Returns the challenge of a refusal (RFC 6750, 3; RFC 9728, 5.1). `error`: undefined where no credential was sent. */
export const buildChallenge = ({
  metadata,
  scope,
  error,
}: {
  metadata: string;
  scope: string;
  error: "invalid_token" | "insufficient_scope" | undefined;
}): string => {
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${metadata}"`,
    `scope="${scope}"`,
  ];
  return `Bearer ${parts.join(", ")}`;
};
