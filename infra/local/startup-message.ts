import type { RunningProduct } from "./run.ts";
import { seedNames } from "./seed.ts";

/** Returns the message for a ready product; `milliseconds` is the start time. */
export const startupMessage = (
  { baseUrl, folder, localJson }: Pick<RunningProduct, "baseUrl" | "folder" | "localJson">,
  milliseconds: number,
): string => {
  const ready = `Wharf is ready at ${baseUrl} (${(milliseconds / 1_000).toFixed(1)} s). Data is kept in ${folder.directory}.`;
  const first = `Console: ${baseUrl}/console/\n\n${ready}`;
  if (!localJson)
    return `${first}\nUser tokens come from OIDC_ISSUER; the demonstration was not created.`;
  const { tenantSlug, agentId, apiKey } = localJson;
  const agents = `${baseUrl}/v1/tenants/${tenantSlug}/agents`;
  return `${first}

Say hello:

  curl -X POST '${agents}/${agentId}:execute' \\
    -H 'X-API-KEY: ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"input": {"name": "you"}}'

The agent ${seedNames.triageAgentId} has a condition, a loop and a tool: the same with ${seedNames.triageAgentId}:execute and -d '{"input": {}}'.
A user token that may create, test and deploy agents: npm run --silent token -- --role admin
Press Ctrl-C to stop. Data is kept.`;
};
