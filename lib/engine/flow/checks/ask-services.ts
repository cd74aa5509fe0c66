import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { Json } from "../../../values/json/json.ts";
import type { AskService, ServiceFinding } from "../../guardrails/ask-service.ts";
import { toBedrockMask } from "../../guardrails/found-text.ts";
import { mapTexts } from "../../guardrails/map-texts.ts";
import type { GuardedPlace, GuardrailCheck } from "../../guardrails/schemas.ts";
import type { ModelProvider } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import { judgeValue } from "./judge-value.ts";
import { limitCheckTime, requireProvider, type ServiceCalls } from "./service-calls.ts";

/** Characters that a service receives of a value: a longer one is not sent, since a part says nothing about the rest. */
const longest = { Judge: 100_000, Moderation: 100_000, Bedrock: 25_000 } as const;

/** Creates the questions to the services of checks. A service receives no secrets. */
export const askServices =
  (calls: ServiceCalls): AskService =>
  (check, { place, value }) => {
    const shown = calls.hide(value);
    const text = check.type === "Judge" ? JSON.stringify(shown) : joinTexts(shown);
    if (text.length > longest[check.type]) throw tooLong(check.type);
    switch (check.type) {
      case "Judge":
        return judgeValue(check, text, calls);
      case "Moderation":
        return moderateText(check, text, calls);
      case "Bedrock":
        return applyBedrock(check, { place, text }, calls);
    }
  };

const tooLong = (type: keyof typeof longest): StepError =>
  new StepError(
    "execution-failed",
    `The value has more than ${longest[type]} characters, which a check of type ${type} does not read.`,
  );

/** Joins all texts of a value, names of members and numbers included. */
const joinTexts = (value: Json): string => {
  const texts: string[] = [];
  mapTexts(value, (text) => {
    texts.push(text);
    return text;
  });
  return texts.join("\n");
};

const nothing: ServiceFinding = { applies: false, kinds: [] };

const moderateText = async (
  { providerId }: Extract<GuardrailCheck, { type: "Moderation" }>,
  text: string,
  calls: ServiceCalls,
): Promise<ServiceFinding> => {
  if (text.trim() === "") return nothing;
  const { moderate } = await requireProvider(calls, providerId);
  if (!moderate) throw without(providerId, "moderation");
  const kinds = await limitCheckTime(calls, providerId, (signal) => moderate({ text, signal }));
  return { applies: kinds.length > 0, kinds };
};

const applyBedrock = async (
  { guardrailId, version, providerId }: Extract<GuardrailCheck, { type: "Bedrock" }>,
  { place, text }: { place: GuardedPlace; text: string },
  calls: ServiceCalls,
): Promise<ServiceFinding> => {
  if (text.trim() === "") return nothing;
  const provider = await findBedrock(providerId, calls);
  const upstream = providerId ?? "bedrock";
  const { applyGuardrail } = provider;
  if (!applyGuardrail) throw without(upstream, "guardrails");
  const source = place === "output" || place === "toolArguments" ? "OUTPUT" : "INPUT";
  const result = await limitCheckTime(calls, upstream, (signal) =>
    applyGuardrail({ guardrailId, version, source, text, signal }),
  );
  const { intervened, blocks, kinds, masks } = result;
  if (!intervened || blocks) return { applies: intervened, kinds };
  const replacements = masks.map(({ match, kind }) => [match, toBedrockMask(kind)] as const);
  return { applies: true, kinds, replacements };
};

const findBedrock = async (
  providerId: string | null | undefined,
  calls: ServiceCalls,
): Promise<ModelProvider> => {
  if (providerId) return requireProvider(calls, providerId);
  const provider = calls.models.deploymentBedrock?.();
  if (!provider) throw new UpstreamError("There is no Amazon Bedrock.", { upstream: "bedrock" });
  return provider;
};

const without = (upstream: string, what: string): UpstreamError =>
  new UpstreamError(`The model provider "${upstream}" has no ${what}.`, { upstream });
