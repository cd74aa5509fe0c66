import * as z from "zod";
import { providerTypes } from "../../engine/models/provider-settings.ts";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { maxAddressLength } from "../../platform/outgoing/parse-address.ts";

const displayName = z.string().min(1).max(200);
const defaultModel = z
  .string()
  .min(1)
  .max(256)
  .meta({ description: "The model of steps that do not name one." });
const baseUrl = z
  .string()
  .min(1)
  .max(maxAddressLength)
  .meta({ description: "Base URL of the service; null for its public address." });
const region = z
  .string()
  .regex(/^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/, "must be an AWS region such as us-east-1")
  .meta({ description: "The region of Bedrock; null for the region of the deployment." });
const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,4096}$/, "must be 1 to 4096 visible ASCII characters")
  .meta({ description: "Write-only: no response returns it." });
const remoteType = z.enum(providerTypes);

/** A language-model provider as the API shows it; never its credentials. */
export const LlmProvider = z
  .object({
    id: ChosenId,
    type: z.enum([...providerTypes, "echo"]),
    displayName: z.string(),
    baseUrl: z.string().nullable(),
    region: z.string().nullable(),
    defaultModel: z.string().nullable(),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "LlmProvider" });
export type LlmProvider = z.output<typeof LlmProvider>;

/** A page of providers. */
export const LlmProviderPage = pageSchema(LlmProvider, "LlmProviderPage");

/** Body of a create request. */
export const CreateLlmProviderBody = z
  .object({
    id: ChosenId.nullish(),
    type: remoteType,
    displayName: displayName.nullish().meta({ description: "The id by default." }),
    baseUrl: baseUrl.nullish(),
    region: region.nullish(),
    defaultModel: defaultModel.nullish(),
    apiKey: apiKey.nullish(),
  })
  .meta({
    id: "CreateLlmProviderBody",
    example: {
      id: "my-models",
      type: "openai-compatible",
      displayName: "Our own models",
      baseUrl: "https://models.example.com/v1",
      defaultModel: "llama3.3",
      apiKey: "the-servers-key",
    },
  });
export type CreateLlmProviderBody = z.output<typeof CreateLlmProviderBody>;

/** Only the members sent change; null clears an optional one. The type stays. */
export const UpdateLlmProviderBody = z
  .object({
    type: remoteType.optional(),
    displayName: displayName.optional(),
    baseUrl: baseUrl.nullish(),
    region: region.nullish(),
    defaultModel: defaultModel.nullish(),
    apiKey: apiKey.nullish(),
  })
  .meta({ id: "UpdateLlmProviderBody", example: { displayName: "Our models" } });
export type UpdateLlmProviderBody = z.output<typeof UpdateLlmProviderBody>;

/** Body of a test request. */
export const TestLlmProviderBody = z
  .object({
    model: z
      .string()
      .min(1)
      .max(256)
      .nullish()
      .meta({ description: "The provider's default model by default." }),
    prompt: z.string().min(1).max(10_000).nullish(),
  })
  .optional()
  .meta({ id: "TestLlmProviderBody", example: { prompt: "Say hello." } });
export type TestLlmProviderBody = z.output<typeof TestLlmProviderBody>;

/** Response of a model to a test. */
export const LlmProviderTest = z
  .object({
    ok: z.literal(true),
    providerId: ChosenId,
    modelId: z.string(),
    text: z.string(),
    usage: z.object({
      inputTokens: z.int(),
      outputTokens: z.int(),
      cachedTokens: z.int(),
      thinkingTokens: z.int(),
    }),
    totalCost: z.number().meta({ description: "US dollars." }),
    priced: z.boolean().meta({ description: "False when the price list does not have the model." }),
    latencyMs: z.int(),
  })
  .meta({ id: "LlmProviderTest" });
export type LlmProviderTest = z.output<typeof LlmProviderTest>;

const rate = z.number();

/** A model that a provider offers. */
export const LlmModel = z
  .object({
    id: z.string(),
    displayName: z
      .string()
      .optional()
      .meta({ description: "Absent when the provider names none." }),
    prices: z
      .object({
        input: rate,
        output: rate,
        cached: rate.meta({ description: "Input that is read from a cache." }),
        cacheWrite: rate.meta({ description: "Input that is written to a cache for minutes." }),
        cacheWriteHour: rate.meta({ description: "Input that is written to a cache for an hour." }),
        thinking: rate,
      })
      .optional()
      .meta({
        description:
          "US dollars per million tokens; absent when the price list does not have the model.",
      }),
  })
  .meta({ id: "LlmModel" });

/** The models of a provider, by id. */
export const LlmModels = z
  .object({ items: z.array(LlmModel).meta({ description: "By id; at most 1000." }) })
  .meta({ id: "LlmModels" });
