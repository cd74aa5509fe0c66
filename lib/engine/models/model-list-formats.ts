import * as z from "zod";
import { trimSlashes } from "../../platform/runtime/trim-end.ts";
import { baseAddresses } from "./base-addresses.ts";
import type { ProviderSettings, ProviderType } from "./provider-settings.ts";

/** A model as its service lists it. */
export type ModelEntry = { readonly id: string; readonly displayName?: string | undefined };

/** A page of a service's list; `next` is undefined on the last one. */
export type ModelPage = { readonly models: readonly ModelEntry[]; readonly next?: string };

/** The format of a service's list of models. */
export type ModelListFormat = {
  /** The address of the service without a `baseUrl`; undefined when it has none. */
  readonly address: (region: string | undefined) => string | undefined;
  readonly headers: (apiKey: string) => Record<string, string>;
  /** The lists, relative to the address. */
  readonly paths: readonly string[];
  /** Name of the query parameter that asks for another page. */
  readonly cursor: string;
  /** Reads a page. Throws for a body that is none. */
  readonly read: (body: unknown) => ModelPage;
};

const name = z.string().optional().catch(undefined);
const cursor = z.string().min(1).nullish().catch(undefined);

/** A list that leaves out what is no model: a service may list more than its format says. */
const entries = <Schema extends z.ZodType<ModelEntry>>(schema: Schema) =>
  z
    .array(z.unknown())
    .transform((items) => items.flatMap((item) => schema.safeParse(item).data ?? []));

const OpenAiEntry = z
  .object({ id: z.string(), name, display_name: name })
  .transform(({ id, name: named, display_name: shown }) => ({ id, displayName: shown ?? named }));
const OpenAiPage = z.object({ data: entries(OpenAiEntry) });
const AnthropicPage = OpenAiPage.extend({ has_more: z.boolean().catch(false), last_id: cursor });
const GooglePage = z.object({
  models: entries(
    z.object({ name: z.string(), displayName: name }).transform(({ name: path, displayName }) => ({
      id: path.replace(/^models\//, ""),
      displayName,
    })),
  ).default([]),
  nextPageToken: cursor,
});
const BedrockPage = z.union([
  z.object({
    modelSummaries: entries(
      z
        .object({ modelId: z.string(), modelName: name })
        .transform(({ modelId, modelName }) => ({ id: modelId, displayName: modelName })),
    ),
    nextToken: cursor,
  }),
  z.object({
    inferenceProfileSummaries: entries(
      z
        .object({ inferenceProfileId: z.string(), inferenceProfileName: name })
        .transform(({ inferenceProfileId, inferenceProfileName }) => ({
          id: inferenceProfileId,
          displayName: inferenceProfileName,
        })),
    ),
    nextToken: cursor,
  }),
]);

const toPage = (models: readonly ModelEntry[], next?: string | null): ModelPage => ({
  models,
  ...(next !== undefined && next !== null && { next }),
});

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

const openai: ModelListFormat = {
  address: () => baseAddresses.openai,
  headers: bearer,
  paths: ["/models"],
  cursor: "after",
  read: (body) => toPage(OpenAiPage.parse(body).data),
};

/** The formats by type of service. */
export const modelListFormats: Readonly<Record<ProviderType, ModelListFormat>> = {
  openai,
  "openai-compatible": { ...openai, address: () => undefined },
  anthropic: {
    address: () => baseAddresses.anthropic,
    headers: (apiKey) => ({ "x-api-key": apiKey, "anthropic-version": "2023-06-01" }),
    paths: ["/models?limit=1000"],
    cursor: "after_id",
    read: (body) => {
      const { data, has_more: hasMore, last_id: last } = AnthropicPage.parse(body);
      return toPage(data, hasMore ? last : undefined);
    },
  },
  google: {
    address: () => baseAddresses.google,
    headers: (apiKey) => ({ "x-goog-api-key": apiKey }),
    paths: ["/models?pageSize=1000"],
    cursor: "pageToken",
    read: (body) => {
      const { models, nextPageToken } = GooglePage.parse(body);
      return toPage(models, nextPageToken);
    },
  },
  bedrock: {
    address: (region) => region && `https://bedrock.${region}.amazonaws.com`,
    headers: bearer,
    paths: ["/foundation-models", "/inference-profiles?maxResults=1000"],
    cursor: "nextToken",
    read: (body) => {
      const page = BedrockPage.parse(body);
      const models =
        "modelSummaries" in page ? page.modelSummaries : page.inferenceProfileSummaries;
      return toPage(models, page.nextToken);
    },
  },
};

/** Returns the address of the lists; undefined for a provider without one. */
export const findListAddress = (
  { type, baseUrl }: Pick<ProviderSettings, "type" | "baseUrl">,
  region: string | undefined,
): string | undefined => {
  const address = baseUrl ?? modelListFormats[type].address(region);
  return address === undefined ? undefined : trimSlashes(address);
};
