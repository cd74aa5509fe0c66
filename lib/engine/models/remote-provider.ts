import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { createGuardedFetch, type GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { untilAborted } from "../../platform/outgoing/until-aborted.ts";
import { waitWithTimer } from "../../platform/runtime/wait.ts";
import { StepError } from "../step-error.ts";
import { type AllowedModels, allowsModel, notAllowed } from "./allowed-models.ts";
import { anthropic } from "./anthropic.ts";
import { applyBedrockGuardrail } from "./apply-bedrock-guardrail.ts";
import { asksForCache } from "./asks-for-cache.ts";
import { bedrock } from "./bedrock.ts";
import type { CacheMark, ModelConnector } from "./connector.ts";
import { type Cooldowns, createCooldowns } from "./cooldowns.ts";
import { embedInBatches } from "./embed-in-batches.ts";
import { takesMediaType } from "./file-kinds.ts";
import { google } from "./google.ts";
import type {
  EmbedRequest,
  EmbedResult,
  GenerateRequest,
  GenerateResult,
  ModelProvider,
} from "./model.ts";
import { ModelFailure } from "./model-failure.ts";
import { createModelFetch, type Pace } from "./model-fetch.ts";
import { moderate } from "./moderate.ts";
import { openai } from "./openai.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { toCallSettings } from "./parameters.ts";
import { calculatePrice } from "./price.ts";
import { callFailure } from "./provider-failure.ts";
import type { ProviderSettings, ProviderType } from "./provider-settings.ts";
import { readStream } from "./read-stream.ts";
import { toGenerateResult } from "./to-generate-result.ts";
import { type PromptMark, toPrompt } from "./to-prompt.ts";
import { toSchema } from "./to-schema.ts";
import { unsendable } from "./unsendable.ts";

const connectors: Record<ProviderType, ModelConnector> = {
  openai,
  anthropic,
  google,
  bedrock,
  "openai-compatible": openaiCompatible,
};

/** Dependencies of calls to services. */
export type RemoteOptions = OutgoingOptions &
  Partial<Pace> & {
    /** Allowed Bedrock models; default all. */
    readonly bedrockModels?: AllowedModels;
    /** Default: those of the function instance. */
    readonly cooldowns?: Cooldowns;
  };

/** Bytes of a response about a text that is checked. */
const maxVerdictBytes = 1024 * 1024;

const instanceCooldowns = createCooldowns();

/** Creates the provider of a remote service. Throws StepErrors for invalid parameters of a step. */
export const createRemoteProvider = (
  settings: ProviderSettings,
  {
    clock = Date.now,
    sleep = waitWithTimer,
    bedrockModels = ["*"],
    cooldowns = instanceCooldowns,
    ...outgoing
  }: RemoteOptions = {},
): ModelProvider => {
  const pace = { clock, sleep };
  const send = createGuardedFetch(outgoing);
  const small = { ...outgoing, maxBytes: maxVerdictBytes };
  const fetch = createModelFetch(settings, send, pace);
  const fetchOnce = createModelFetch(settings, send, pace, 0);
  return {
    ...(settings.defaultModel !== null && { defaultModel: settings.defaultModel }),
    generate: async (request) => {
      checkModel(request.model, settings, bedrockModels);
      try {
        return await generate(request, settings, request.isImpatient ? fetchOnce : fetch);
      } catch (error) {
        if (error instanceof ModelFailure && error.retryAfterMs !== undefined) {
          const now = clock();
          const until = now + error.retryAfterMs;
          cooldowns.leave(settings, request.model, { now, until });
        }
        throw error;
      }
    },
    cachesOnRequest: (model, parameters) =>
      findMark({ model, parameters }, connectors[settings.type]) !== undefined,
    restsUntil: (model) => cooldowns.until(settings, model),
    ...(connectors[settings.type].connectEmbedding && {
      embed: async (request: EmbedRequest) => {
        checkModel(request.model, settings, bedrockModels);
        return embed(request, settings, fetch);
      },
    }),
    ...toChecks(settings, {
      fetch: createModelFetch(settings, createGuardedFetch(small), pace),
      clock,
    }),
    takes: (model, mediaType) => takesMediaType(settings, model, mediaType),
    price: (model, usage) => calculatePrice(settings, model, usage),
  };
};

/** Returns the checks of texts that a type of service has. */
const toChecks = (
  settings: ProviderSettings,
  { fetch, clock }: { fetch: GuardedFetch; clock: () => number },
): Pick<ModelProvider, "moderate" | "applyGuardrail"> => {
  switch (settings.type) {
    case "openai":
    case "openai-compatible":
      return {
        moderate: (request) =>
          called({ settings, signal: request.signal, fetch }, (noticed) =>
            moderate(settings, request, noticed),
          ),
      };
    case "bedrock":
      return {
        applyGuardrail: (request) =>
          called({ settings, signal: request.signal, fetch }, (noticed) =>
            applyBedrockGuardrail(settings, request, { fetch: noticed, clock }),
          ),
      };
    default:
      return {};
  }
};

/** Path segments that must not occur in a model's name, which some services have in their URL. */
const leadsElsewhere = /(^|[/\\])\.{1,2}([/\\]|$)|[?#%\\]|\p{Cc}/u;

/** Throws a StepError for a model that is not allowed. */
const checkModel = (
  model: string,
  { type }: ProviderSettings,
  bedrockModels: AllowedModels,
): void => {
  if (type === "bedrock" && !allowsModel(bedrockModels, model)) {
    throw new StepError("execution-failed", `The model ${notAllowed(model)}.`);
  }
  if ((type === "bedrock" || type === "google") && leadsElsewhere.test(model)) {
    throw new StepError(
      "execution-failed",
      `A provider of the type ${type} has no model of that name.`,
    );
  }
};

const generate = async (
  request: GenerateRequest,
  settings: ProviderSettings,
  fetch: GuardedFetch,
): Promise<GenerateResult> => {
  const { signal, onDelta, onProgress } = request;
  signal.throwIfAborted();
  const connector = connectors[settings.type];
  const options = toCallOptions(request, connector, nameMaker(settings, request));
  return called({ settings, signal, fetch }, async (noticed) => {
    const model = await connector.connect(settings, request.model, noticed);
    const response = onDelta
      ? model.doStream(options).then(({ stream }) => readStream(stream, { onDelta, onProgress }))
      : model.doGenerate(options);
    const complete = await untilAborted(signal, response);
    if (connector.alwaysSaysWhy && complete.finishReason.raw === undefined) {
      throw new Error("the response is incomplete");
    }
    return toGenerateResult(complete, nameMaker(settings, request));
  });
};

const embed = async (
  { model: name, texts, signal }: EmbedRequest,
  settings: ProviderSettings,
  fetch: GuardedFetch,
): Promise<EmbedResult> =>
  called({ settings, signal, fetch }, async (noticed) => {
    const model = await connectors[settings.type].connectEmbedding?.(settings, name, noticed);
    if (!model) throw new Error(`${settings.type} has no embedding models`);
    return embedInBatches(model, texts, signal);
  });

/** Calls a service with a `fetch` that reports whether a failure came before or after the first request. */
const called = async <Result>(
  {
    settings,
    signal,
    fetch,
  }: { settings: ProviderSettings; signal: AbortSignal; fetch: GuardedFetch },
  call: (fetch: GuardedFetch) => Promise<Result>,
): Promise<Result> => {
  let sent = false;
  try {
    return await call((input, init) => {
      sent = true;
      return fetch(input, init);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw sent ? callFailure(settings, error) : unsendable(settings, error);
  }
};

/** Returns how a request is marked for a cache. Parameters that name one replace the marks. */
const findMark = (
  { model, parameters }: Pick<GenerateRequest, "model" | "parameters">,
  connector: ModelConnector,
): CacheMark | undefined => (asksForCache(parameters) ? undefined : connector.cacheMark?.(model));

const toMark = (request: GenerateRequest, connector: ModelConnector): PromptMark | undefined => {
  const { cache } = request;
  const mark = cache && findMark(request, connector);
  if (!cache || !mark) return undefined;
  const { options, systemOnly = false } = mark;
  const providerOptions = { [connector.optionsName]: options };
  return { providerOptions, systemOnly, recalled: cache.recalled };
};

/** Signatures and ids in a response are known to the account and the model that made them. */
const nameMaker = ({ type, id }: ProviderSettings, { model }: GenerateRequest): string =>
  JSON.stringify([type, id, model]);

const toCallOptions = (
  request: GenerateRequest,
  connector: ModelConnector,
  madeBy: string,
): LanguageModelV4CallOptions => {
  const { tools = [], outputSchema, parameters, signal } = request;
  return {
    ...toCallSettings(parameters, connector, outputSchema),
    prompt: toPrompt(request, madeBy, toMark(request, connector)),
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
};
