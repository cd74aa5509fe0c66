import * as z from "zod";
import { isJsonObject } from "../../../values/json/json.ts";
import type { ModelProvider } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import type { LlmChoice, StepContext } from "../step-context.ts";

/** Reference of a Prompt to its model. */
export const Llm = z.object({
  providerId: z.string().min(1),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

/** A model and the settings of its calls. */
export type ChosenModel = LlmChoice & {
  readonly provider: ModelProvider;
  readonly model: string;
};

const maxNameBytes = 256;

/** Returns the model of a choice. */
export const resolveModel = async (
  llm: LlmChoice,
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
  return { ...llm, provider, model };
};

/** Returns what a Prompt chooses, or the revision's default. */
export const chooseLlm = async (
  own: z.output<typeof Llm> | null | undefined,
  context: StepContext,
): Promise<LlmChoice> => {
  if (own) {
    const providerId = await context.evaluate(own.providerId);
    const parameters = await context.evaluate(own.parameters ?? {});
    if (typeof providerId === "string" && isJsonObject(parameters))
      return { providerId, parameters };
    throw new StepError("execution-failed", "llm.providerId must be a string.");
  }
  if (context.defaultLlm) return context.defaultLlm;
  throw new StepError(
    "execution-failed",
    'The step has no "llm" and the revision has no llmConfigs. Add one of them, for example {"providerId": "echo"}.',
  );
};

const requireModel = (
  { providerId, parameters }: LlmChoice,
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
