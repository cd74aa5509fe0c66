import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { waitWithTimer } from "../flow/wait.ts";
import { createGuardedFetch, type GuardedFetch } from "../outgoing/guarded-fetch.ts";
import type { OutgoingOptions } from "../outgoing/resolve-host.ts";
import { untilAborted } from "../outgoing/until-aborted.ts";
import { anthropic } from "./anthropic.ts";
import { bedrock } from "./bedrock.ts";
import type { Connector } from "./connector.ts";
import { google } from "./google.ts";
import type { GenerateRequest, GenerateResult, ModelProvider } from "./model.ts";
import { createModelFetch, type Pace } from "./model-fetch.ts";
import { openai } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { toCallSettings } from "./parameters.ts";
import { priceOf } from "./price.ts";
import { callFailure } from "./provider-failure.ts";
import type { ProviderSettings, ProviderType } from "./provider-settings.ts";
import { readStream } from "./read-stream.ts";
import { toPrompt } from "./to-prompt.ts";
import { toResult } from "./to-result.ts";
import { toSchema } from "./to-schema.ts";
import { unsendable } from "./unsendable.ts";

const connectors: Record<ProviderType, Connector> = {
  openai,
  anthropic,
  google,
  bedrock,
  "openai-compatible": openaiCompatible,
};

/** What calls are made with. */
export type RemoteOptions = OutgoingOptions & Partial<Pace>;

/** A service that models are called at over the network; it throws StepErrors for a step's own mistakes. */
export function createRemoteProvider(
  settings: ProviderSettings,
  { clock = Date.now, sleep = waitWithTimer, ...outgoing }: RemoteOptions = {},
): ModelProvider {
  const pace = { clock, sleep };
  const fetch = createModelFetch(settings, createGuardedFetch(outgoing), pace);
  return {
    ...(settings.defaultModel !== null && { defaultModel: settings.defaultModel }),
    generate: (request) => generate(request, settings, fetch),
    price: (model, usage) => priceOf(settings, model, usage),
  };
}

async function generate(
  request: GenerateRequest,
  settings: ProviderSettings,
  fetch: GuardedFetch,
): Promise<GenerateResult> {
  const { signal, onDelta } = request;
  signal.throwIfAborted();
  const connector = connectors[settings.type];
  const options = toCallOptions(request, connector);
  let sent = false;
  const noticed: GuardedFetch = (input, init) => {
    sent = true;
    return fetch(input, init);
  };
  try {
    const model = await connector.connect(settings, request.model, noticed);
    const answer = onDelta
      ? model.doStream(options).then(({ stream }) => readStream(stream, onDelta))
      : model.doGenerate(options);
    return toResult(await untilAborted(signal, answer), connector.optionsName);
  } catch (error) {
    signal.throwIfAborted();
    throw sent ? callFailure(settings, error) : unsendable(settings, error);
  }
}

function toCallOptions(request: GenerateRequest, connector: Connector): LanguageModelV4CallOptions {
  const { tools = [], outputSchema, parameters, signal } = request;
  return {
    ...toCallSettings(parameters, connector, outputSchema),
    prompt: toPrompt(request, connector.optionsName),
    abortSignal: signal,
    ...(outputSchema && {
      responseFormat: { type: "json", schema: toSchema(outputSchema), name: "answer" },
    }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        type: "function",
        name: tool.name,
        description: tool.description,
        inputSchema: toSchema(tool.parameters),
        ...(connector.strictTool && { strict: connector.strictTool(tool) }),
      })),
    }),
  };
}
