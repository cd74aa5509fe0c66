import * as z from "zod";
import { once } from "../../../platform/runtime/once.ts";
import { isJsonObject } from "../../../values/json/json.ts";
import {
  CacheMode,
  defaultFallbackOn,
  FallbackOn,
  maxFallbacks,
} from "../../models/llm-options.ts";
import type { ModelProvider } from "../../models/model.ts";
import type { FailureReason } from "../../models/model-failure.ts";
import { StepError } from "../../step-error.ts";
import type { LlmChoice, ModelChoice, StepContext } from "../step-context.ts";

const reference = {
  providerId: z.string().min(1),
  parameters: z.record(z.string(), z.unknown()).nullish(),
};

/** Reference of a Prompt to its model, and to those that are called when it fails. */
export const Llm = z.object({
  ...reference,
  fallbacks: z.array(z.object(reference)).max(maxFallbacks).nullish(),
  fallbackOn: FallbackOn.nullish(),
  cache: CacheMode.nullish(),
});

/** A model and the settings of its calls. */
export type ChosenModel = ModelChoice & {
  readonly provider: ModelProvider;
  readonly model: string;
};

/** The model of a Prompt, and those that are called when it fails. */
export type ModelChain = {
  readonly llm: LlmChoice;
  readonly first: ChosenModel;
  /** Loads a fallback's provider once, when it is needed. */
  readonly fallbacks: readonly (() => Promise<ChosenModel>)[];
  readonly fallbackOn: readonly FailureReason[];
};

/** Returns the models of a choice. Only the provider of the first one is loaded. */
export const resolveChain = async (
  llm: LlmChoice,
  context: Pick<StepContext, "models">,
): Promise<ModelChain> => ({
  llm,
  first: await resolveModel(llm, context),
  fallbacks: (llm.fallbacks ?? []).map((fallback) => once(() => resolveModel(fallback, context))),
  fallbackOn: llm.fallbackOn ?? defaultFallbackOn,
});

const maxNameBytes = 256;

/** Returns the model of a choice. Throws a StepError when there is no such provider, or no model. */
export const resolveModel = async (
  llm: ModelChoice,
  { models }: Pick<StepContext, "models">,
): Promise<ChosenModel> => {
  const provider = await models.resolve(llm.providerId);
  if (!provider) {
    throw new StepError(
      "execution-failed",
      `There is no model provider "${llm.providerId}". Name one of the tenant's providers, or "echo".`,
    );
  }
  const model = requireModel(llm, provider.defaultModel);
  // The name is part of the key of its usage counter.
  if (!model.isWellFormed() || Buffer.byteLength(model) > maxNameBytes) {
    throw new StepError(
      "execution-failed",
      `llm.parameters.model must be a name of at most ${maxNameBytes} bytes of UTF-8.`,
    );
  }
  const { providerId, parameters } = llm;
  return { providerId, parameters, provider, model };
};

/** Returns what a Prompt chooses, or the revision's default. */
export const chooseLlm = async (
  own: z.output<typeof Llm> | null | undefined,
  context: StepContext,
): Promise<LlmChoice> => {
  if (own) {
    const { fallbacks, fallbackOn, cache } = own;
    const model = await evaluateModel(own, "llm", context);
    if (!fallbacks?.length) return { ...model, cache };
    return {
      ...model,
      cache,
      fallbacks: await Promise.all(
        fallbacks.map((fallback, at) => evaluateModel(fallback, `llm.fallbacks[${at}]`, context)),
      ),
      fallbackOn,
    };
  }
  if (context.defaultLlm) return context.defaultLlm;
  throw new StepError(
    "execution-failed",
    'The step has no "llm" and the revision has no llmConfigs. Add one of them, for example {"providerId": "echo"}.',
  );
};

const evaluateModel = async (
  own: Pick<z.output<typeof Llm>, "providerId" | "parameters">,
  name: string,
  context: StepContext,
): Promise<ModelChoice> => {
  const providerId = await context.evaluate(own.providerId);
  const parameters = await context.evaluate(own.parameters ?? {});
  if (typeof providerId === "string" && isJsonObject(parameters)) return { providerId, parameters };
  throw new StepError("execution-failed", `${name}.providerId must be a string.`);
};

const requireModel = (
  { providerId, parameters }: ModelChoice,
  defaultModel: string | undefined,
): string => {
  const { model } = parameters;
  if (typeof model === "string" && model !== "") return model;
  if ((model === undefined || model === null) && defaultModel !== undefined) return defaultModel;
  throw new StepError(
    "execution-failed",
    `llm.parameters.model must name a model: the provider "${providerId}" has no default.`,
  );
};

/** Limits the output of a choice's models to what the caller allows. A lower limit of their own stays. */
export const limitOutput = (llm: LlmChoice, most: number | undefined): LlmChoice => {
  if (most === undefined) return llm;
  const limit = <Choice extends ModelChoice>(choice: Choice): Choice => {
    const { maxOutputTokens: own } = choice.parameters;
    const maxOutputTokens = typeof own === "number" ? Math.min(own, most) : most;
    return { ...choice, parameters: { ...choice.parameters, maxOutputTokens } };
  };
  const { fallbacks } = llm;
  return { ...limit(llm), ...(fallbacks && { fallbacks: fallbacks.map(limit) }) };
};
