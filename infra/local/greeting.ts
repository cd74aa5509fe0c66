import type { RunningProduct } from "./run.ts";

/** What is printed when the product is ready. `milliseconds` is how long that took. */
export const greeting = (
  { baseUrl, folder, localJson }: RunningProduct,
  milliseconds: number,
): string => {
  const ready = `Wharf is ready at ${baseUrl} (${(milliseconds / 1_000).toFixed(1)} s). Data is kept in ${folder.directory}.`;
  if (!localJson)
    return `${ready}\nUser tokens come from OIDC_ISSUER, so no demonstration was set up.`;
  const { tenantSlug, agentId, apiKey } = localJson;
  return `${ready}

Say hello:

  curl -X POST '${baseUrl}/v1/tenants/${tenantSlug}/agents/${agentId}:execute' \\
    -H 'X-API-KEY: ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"input": {"name": "you"}}'

A user token: npm run --silent token -- --role builder
Ctrl-C stops it; the data stays.`;
};
