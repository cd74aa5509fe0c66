import { configuredIds, loadIntegration } from "../../engine/tools/configured-integrations.ts";
import { registeringIntegrations } from "./registering-integrations.ts";
import { registrarIds } from "./registrar-ids.ts";
import type { Integration } from "./schemas.ts";

const system: Integration = {
  id: "system",
  displayName: "System",
  description: "Built-in tools: the time, arithmetic, JSON queries and HTTP requests.",
  needsConfig: false,
  hasTools: true,
  parameters: [],
};

/** Returns the built-in integration, those whose tools come from a config, and those that register webhooks. */
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
    ...registrarIds.map((id) => ({
      id,
      needsConfig: true,
      hasTools: false,
      ...registeringIntegrations[id],
    })),
  ];
};
