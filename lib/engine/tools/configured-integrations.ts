import type { ConfiguredIntegration } from "./integration.ts";

/** Ids of the integrations that get their tools from a config. */
export const configuredIds = ["openapi", "mcp", "a2a"] as const;

type ConfiguredId = (typeof configuredIds)[number];

/** Returns whether an integration gets its tools from a config. */
export const isConfigured = (id: string): id is ConfiguredId =>
  configuredIds.some((known) => known === id);

/** An integration with all that it takes to work, loaded when it is first needed. */
export const loadIntegration = async (id: ConfiguredId): Promise<ConfiguredIntegration> => {
  switch (id) {
    case "openapi":
      return (await import("./openapi/index.ts")).openapiIntegration;
    case "mcp":
      return (await import("./mcp/index.ts")).mcpIntegration;
    case "a2a":
      return (await import("./a2a/index.ts")).a2aIntegration;
  }
};
