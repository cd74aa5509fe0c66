import { createGuardedFetch, type GuardedFetch } from "../../platform/outgoing/guarded-fetch.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { awsRegion } from "../../platform/runtime/env.ts";
import { waitWithTimer } from "../../platform/runtime/wait.ts";
import { allowsModel } from "./allowed-models.ts";
import { listKnownBedrockModels } from "./known-bedrock-models.ts";
import { ModelFailure } from "./model-failure.ts";
import { createModelFetch } from "./model-fetch.ts";
import { findListAddress, type ModelEntry, modelListFormats } from "./model-list-formats.ts";
import { findPrices } from "./price.ts";
import { callFailure } from "./provider-failure.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import type { Rates } from "./rates.ts";
import type { RemoteOptions } from "./remote-provider.ts";

/** A model of a provider, with its prices if they are known. */
export type ListedModel = {
  readonly id: string;
  readonly displayName?: string;
  readonly prices?: Rates;
};

/** The most models of a list; the rest is left out. */
export const maxListedModels = 1_000;
const maxPages = 20;
/** Of each page. */
const maxBytes = 2 * 1024 * 1024;
const maxLength = { id: 256, displayName: 200 };

/**
 * Lists the models of a provider by id, as its service lists them; those of Bedrock that are known, when the
 * functions' role signs its calls. Throws UpstreamErrors, and the signal's reason.
 */
export const listModels = async (
  settings: ProviderSettings,
  { bedrockModels = ["*"], ...options }: RemoteOptions,
  signal: AbortSignal,
): Promise<ListedModel[]> => {
  const isBedrock = settings.type === "bedrock";
  const region = isBedrock ? (settings.region ?? awsRegion()) : undefined;
  const address = findListAddress(settings, region);
  const isKnownOnly = address === undefined || (isBedrock && settings.apiKey === null);
  const found = isKnownOnly
    ? await listKnownBedrockModels(region, bedrockModels)
    : await readLists({ settings, address, signal }, options);
  const models = found.filter(({ id }) => !isBedrock || allowsModel(bedrockModels, id));
  return Promise.all(toSorted(models).map((model) => withPrices(settings, model)));
};

type Reading = { settings: ProviderSettings; address: string; signal: AbortSignal };

const readLists = async (
  reading: Reading,
  { clock = Date.now, sleep = waitWithTimer, ...outgoing }: RemoteOptions,
): Promise<ModelEntry[]> => {
  const { settings, signal } = reading;
  const send = createGuardedFetch({ ...outgoing, maxBytes });
  const fetch = createModelFetch(settings, send, { clock, sleep });
  try {
    const lists = modelListFormats[settings.type].paths.map((path) =>
      readList(reading, path, fetch),
    );
    return (await Promise.all(lists)).flat();
  } catch (error) {
    signal.throwIfAborted();
    throw listFailure(settings, error);
  }
};

/** Reads the pages of a list until there are enough models. */
const readList = async (
  { settings, address, signal }: Reading,
  path: string,
  fetch: GuardedFetch,
): Promise<ModelEntry[]> => {
  const format = modelListFormats[settings.type];
  const headers = settings.apiKey === null ? {} : format.headers(settings.apiKey);
  const models: ModelEntry[] = [];
  let next: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const url = new URL(address + path);
    if (next !== undefined) url.searchParams.set(format.cursor, next);
    const response = await fetch(url, {
      headers: { accept: "application/json", ...headers },
      signal,
    });
    const page = format.read(await response.json());
    models.push(...page.models);
    if (page.next === undefined || page.next === next || models.length >= maxListedModels) break;
    next = page.next;
  }
  return models;
};

/** Statuses of a service that has no list, or refuses the request for it. */
const withoutList: readonly (number | undefined)[] = [400, 404, 405, 422, 501];

const listFailure = (settings: ProviderSettings, error: unknown) => {
  const failure = callFailure(settings, error);
  const { upstream, upstreamStatus, cause } = failure;
  const fail = (what: string) =>
    new ModelFailure(
      `The model provider "${upstream}" ${what}, or name a model without the list.`,
      { upstream, upstreamStatus },
      { cause: error },
    );
  if (cause instanceof OutgoingError && cause.kind === "too-large") {
    return fail("sent a list of models that is too large to be read: check its baseUrl");
  }
  if (!withoutList.includes(upstreamStatus)) return failure;
  const place = settings.baseUrl === null ? "settings" : "baseUrl";
  return fail(
    `has no list of models, or refused to send it (${upstreamStatus}): check its ${place}`,
  );
};

const toSorted = (models: readonly ModelEntry[]): ModelEntry[] => {
  const byId = new Map(
    models.filter(({ id }) => isName(id, maxLength.id)).map((model) => [model.id, model]),
  );
  return [...byId.values()]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, maxListedModels);
};

const isName = (text: string, longest: number): boolean =>
  text !== "" && text.length <= longest && !/\p{Cc}/u.test(text);

const withPrices = async (
  settings: ProviderSettings,
  { id, displayName }: ModelEntry,
): Promise<ListedModel> => {
  const prices = await findPrices(settings, id);
  return {
    id,
    ...(displayName !== undefined && isName(displayName, maxLength.displayName) && { displayName }),
    ...(prices && { prices }),
  };
};
