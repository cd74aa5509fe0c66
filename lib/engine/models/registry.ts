import { echoModel } from "./echo.ts";
import { echoProvider } from "./echo-id.ts";
import type { ModelProvider, ModelRegistry } from "./model.ts";

/** Creates a registry of the given providers and `echo`. */
export const createModelRegistry = (
  providers: ReadonlyMap<string, ModelProvider> = new Map(),
): ModelRegistry => ({
  resolve: async (providerId) =>
    providers.get(providerId) ?? (providerId === echoProvider ? echoModel : undefined),
});
