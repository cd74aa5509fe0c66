import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { JsonObject } from "../../json/json.ts";
import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import type { ModelTool } from "./model.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** How one kind of service is called: one file each, which loads the service's package when it is used. */
export type Connector = {
  /** Under which name the package looks for settings of its own. */
  readonly optionsName: string;
  /** Settings that a step may override, given what it asks for. */
  readonly defaults?: (asked: { outputSchema?: JsonObject }) => JsonObject;
  /** Whether a tool's arguments may be held to its schema by the service itself; undefined for its own rule. */
  readonly strictTool?: (tool: ModelTool) => boolean;
  readonly connect: (
    settings: ProviderSettings,
    model: string,
    fetch: GuardedFetch,
  ) => Promise<LanguageModelV4>;
};
