import * as z from "zod";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { ProcessorBudget } from "../../../platform/sandbox/processor-budget.ts";
import type { JsonObject } from "../../../values/json/json.ts";
import type {
  AssistantMessage,
  GenerateRequest,
  GenerateResult,
  ModelMessage,
  ModelProvider,
} from "../../models/model.ts";
import type { Question } from "../prompt/estimate-call.ts";
import { parseResponse } from "../prompt/parse-response.ts";

const outputSchema: JsonObject = {
  type: "object",
  properties: { reason: { type: "string" }, score: { type: "number", minimum: 0, maximum: 1 } },
  required: ["reason", "score"],
  additionalProperties: false,
};
const Rating = z.object({ reason: z.string(), score: z.number().min(0).max(1) });

/** A rating by a model, from 0 to 1. */
export type Rating = z.output<typeof Rating>;

/** Maximum requests for a rating: an invalid response is retried once. */
const maxTries = 2;

/**
 * Asks a model for a rating. Returns why its response is invalid when both are.
 * @param ask calls the model
 */
export const askForRating = async (
  { system, text, processor }: { system: string; text: string; processor: ProcessorBudget },
  ask: (question: Question) => Promise<AssistantMessage>,
): Promise<Rating | { invalid: string }> => {
  const messages: ModelMessage[] = [{ role: "user", text }];
  for (let attempt = 1; ; attempt += 1) {
    const message = await ask({ system, outputSchema, messages: [...messages] });
    const answer = await parseResponse(outputSchema, message.text, processor);
    const { data: rating } = Rating.safeParse(answer.ok ? answer.value : undefined);
    if (rating) return rating;
    const detail = answer.ok ? "it is not a rating" : answer.detail;
    if (attempt === maxTries) return { invalid: detail };
    const correction = `Your response is invalid: ${detail}. Respond again with only JSON that matches the JSON Schema.`;
    messages.push(message, { role: "user", text: correction });
  }
};

/** Calls a model at temperature 0. Some models take no temperature and refuse the request: they are asked without. */
export const generateSteadily = async (
  provider: Pick<ModelProvider, "generate">,
  request: GenerateRequest,
): Promise<GenerateResult> => {
  const { parameters } = request;
  try {
    return await provider.generate({ ...request, parameters: { temperature: 0, ...parameters } });
  } catch (error) {
    const isRefused = error instanceof UpstreamError && error.upstreamStatus === 400;
    if (!isRefused || parameters.temperature !== undefined) throw error;
    return provider.generate(request);
  }
};

/** Formats JSON as a section for a model, without `<`, so that no text of it ends the section. */
export const formatSection = (name: string, json: string): string =>
  `<${name}>\n${json.replaceAll("<", "\\u003c")}\n</${name}>`;
