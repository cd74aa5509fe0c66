import * as z from "zod";
import { isRecord, type Json, type JsonObject, textOf } from "../json.ts";
import { StepError } from "../step-error.ts";
import { defineStep, type LlmChoice, type StepContext } from "../step-type.ts";

const Llm = z.object({
  providerId: z.string().min(1),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});

/** Asks a language model; its output is the model's text. */
export const promptStep = defineStep({
  type: "Prompt",
  shape: { llm: Llm.nullish(), system: z.string().nullish(), prompt: z.string().min(1) },
  waits: true,
  later: ["tools", "skills", "outputSchema", "maxTurns"],
  templated: () => ["llm", "system", "prompt"],
  async run(step, context) {
    const llm = await chooseLlm(step.llm, context);
    const provider = await context.models.resolve(llm.providerId);
    if (!provider) {
      throw new StepError(
        "execution-failed",
        `There is no model provider "${llm.providerId}". Name one of the tenant's providers, or "echo".`,
      );
    }
    const model = modelOf(llm, provider.defaultModel);
    const system = step.system
      ? textOf((await context.evaluate(step.system)) ?? undefined)
      : undefined;
    const prompt = textOf((await context.evaluate(step.prompt)) ?? undefined);
    context.note({
      input: { ...(system === undefined ? {} : { system }), prompt },
      providerId: llm.providerId,
      modelId: model,
    });
    const { text, usage } = await provider.generate({
      model,
      ...(system === undefined ? {} : { system }),
      prompt,
      parameters: llm.parameters,
      signal: context.signal,
      onDelta: context.delta,
    });
    context.note({ usage });
    return { output: text };
  },
});

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}

async function chooseLlm(
  own: z.output<typeof Llm> | null | undefined,
  context: StepContext,
): Promise<LlmChoice> {
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
}

function modelOf({ providerId, parameters }: LlmChoice, defaultModel: string | undefined): string {
  const { model } = parameters;
  if (typeof model === "string" && model !== "") return model;
  if ((model === undefined || model === null) && defaultModel !== undefined) return defaultModel;
  throw new StepError(
    "execution-failed",
    `llm.parameters.model must name a model: the provider "${providerId}" has no default.`,
  );
}
