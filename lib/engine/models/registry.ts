import { echo } from "./echo.ts";
import type { ModelProvider, ModelRegistry } from "./model.ts";

/** A registry of the providers given and of `echo`, which is always there. */
export function createModelRegistry(
  providers: ReadonlyMap<string, ModelProvider> = new Map(),
): ModelRegistry {
  return {
    resolve: async (providerId) =>
      providers.get(providerId) ?? (providerId === "echo" ? echo : undefined),
  };
}
