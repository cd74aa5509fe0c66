import type { EmbeddingModelV4, LanguageModelV4 } from "@ai-sdk/provider";
import type { GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ModelTool } from "./model.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** The options of a message up to which the service caches. `systemOnly`: other messages than the first have none. */
export type CacheMark = { readonly options: JsonObject; readonly systemOnly?: true };

/** Calls one kind of service. Its package is loaded on first use. */
export type ModelConnector = {
  /** Name of the package's provider options. */
  readonly optionsName: string;
  /** Default settings of a call, which a step may override. */
  readonly defaults?: (asked: { outputSchema?: JsonObject }) => JsonObject;
  /** Whether the service enforces a tool's schema; undefined for the service's default. */
  readonly strictTool?: (tool: ModelTool) => boolean;
  /** Whether every response says why it ended: one that does not is incomplete, which the package does not report. */
  readonly alwaysSaysWhy?: true;
  /** Marks of a request for a service that caches only what is marked; undefined for a model without a cache. */
  readonly cacheMark?: (model: string) => CacheMark | undefined;
  readonly connect: (
    settings: ProviderSettings,
    model: string,
    fetch: GuardedFetch,
  ) => Promise<LanguageModelV4>;
  /** Absent for a service without embedding models. */
  readonly connectEmbedding?: (
    settings: ProviderSettings,
    model: string,
    fetch: GuardedFetch,
  ) => Promise<EmbeddingModelV4>;
};
