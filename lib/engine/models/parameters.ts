import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import * as z from "zod";
import type { JsonObject } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import type { ModelConnector } from "./connector.ts";

const number = z.number().optional();

/** Settings that every kind of service supports under the same name. */
const Common = z.object({
  temperature: number,
  maxOutputTokens: z.int().min(1).optional(),
  topP: number,
  topK: number,
  presencePenalty: number,
  frequencyPenalty: number,
  stopSequences: z.array(z.string()).optional(),
  seed: z.int().optional(),
  reasoning: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).optional(),
});

/** All other settings are the service's own; the caller handles `model`. */
const Own = z.record(z.string(), z.json());

/**
 * Maps a step's parameters to the options of a call; null counts as absent. Throws a StepError for a parameter
 * of the wrong type.
 */
export const toCallSettings = (
  parameters: JsonObject,
  connector: ModelConnector,
  outputSchema: JsonObject | undefined,
): Pick<LanguageModelV4CallOptions, keyof z.output<typeof Common> | "providerOptions"> => {
  const set = Object.entries(parameters).filter(
    ([name, value]) => name !== "model" && value !== null,
  );
  const isCommon = ([name]: [string, unknown]) => Object.hasOwn(Common.shape, name);
  const common = Common.safeParse(Object.fromEntries(set.filter(isCommon)));
  if (!common.success) {
    const places = common.error.issues.map(
      ({ path, message }) => `llm.parameters.${path.join(".")}: ${message}`,
    );
    throw new StepError("execution-failed", `${places.join("; ")}.`);
  }
  const defaults = connector.defaults?.({ ...(outputSchema && { outputSchema }) }) ?? {};
  const own = set.filter((entry) => !isCommon(entry));
  const options = Own.parse({ ...defaults, ...Object.fromEntries(own) });
  return { ...common.data, providerOptions: { [connector.optionsName]: options } };
};
