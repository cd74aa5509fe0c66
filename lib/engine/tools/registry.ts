import type { OutgoingOptions } from "../../platform/outgoing/request.ts";
import { configuredIds } from "./configured-integrations.ts";
import { createSystemTools } from "./system/index.ts";
import type { Tool, ToolRegistry } from "./tool.ts";

/** A registry of the built-in integration `system`; it knows the names of those that take a config. */
export const createToolRegistry = (outgoing: OutgoingOptions = {}): ToolRegistry => {
  const integrations = new Map<string, readonly Tool[]>([["system", createSystemTools(outgoing)]]);
  const byName = new Map<string, Tool>();
  for (const [integrationId, tools] of integrations) {
    for (const tool of tools) byName.set(`${integrationId}/${tool.descriptor.id}`, tool);
  }
  return {
    resolve: (integrationId, toolId) => byName.get(`${integrationId}/${toolId}`),
    list: () => integrations,
    configured: configuredIds,
  };
};
