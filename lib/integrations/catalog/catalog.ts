import { configuredIds, loadIntegration } from "../../engine/tools/configured-integrations.ts";
import type { IntegrationDefinition } from "../../vendors/integration.ts";
import { integrations } from "../../vendors/registry/integrations.ts";
import type { Integration } from "./schemas.ts";

const system: Integration = {
  id: "system",
  displayName: "System",
  description: "Built-in tools: the time, arithmetic, JSON queries and HTTP requests.",
  needsConfig: false,
  hasTools: true,
  parameters: [],
};

/**
 * Returns the built-in integration, those with tools from a config, and those that register
 * webhooks.
 */
export const integrationCatalog = async (): Promise<Integration[]> => {
  const configured = await Promise.all(configuredIds.map(loadIntegration));
  return [
    system,
    ...configured.map(({ id, displayName, description, parameters }) => ({
      id,
      displayName,
      description,
      needsConfig: true,
      hasTools: true,
      parameters: [...parameters],
    })),
    ...Object.entries<IntegrationDefinition>(integrations).map(
      ([id, { displayName, description, parameters }]) => ({
        id,
        needsConfig: true,
        hasTools: false,
        displayName,
        description,
        parameters: [...parameters],
      }),
    ),
  ];
};
