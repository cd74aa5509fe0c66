import { privateAddressHint } from "../../platform/outgoing/blocked-address.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** Facts that the detail of a failure depends on. */
export type Called = Pick<ProviderSettings, "id" | "type" | "baseUrl" | "apiKey">;

/** Maps a service's error response to an error, without its body. */
export const providerStatusFailure = (provider: Called, upstreamStatus: number): UpstreamError => {
  const upstream = provider.id;
  return new UpstreamError(
    `The model provider "${upstream}" ${complaint(upstreamStatus, provider)} (${upstreamStatus}).`,
    { upstream, upstreamStatus },
  );
};

const complaint = (status: number, provider: Called): string => {
  if (status >= 300 && status < 400) {
    return "responded with a redirect: set its baseUrl to where that leads";
  }
  switch (status) {
    case 400:
    case 422:
      return "refused the request: check the model's name and the step's parameters, tools and outputSchema";
    case 401:
    case 403:
      return isSignedByRole(provider)
        ? "refused the credentials: check that this deployment's role may use the model, or give it an apiKey"
        : "refused the credentials: check its apiKey, and that it may use the model";
    case 404:
      return `does not know the model: check its name${listAddressSettings(provider).map((place) => `, and the provider's ${place}`)}`;
    case 413:
      return "found the request too large: shorten the prompt";
    case 429:
      return "throttles requests: try again later, or raise its limits";
    default:
      return status >= 500
        ? "failed: try again later"
        : "refused the request: check the provider's settings";
  }
};

/** Maps an error of calling a service or reading its response. */
export const callFailure = (provider: Called, error: unknown): UpstreamError => {
  const known = findCause(error, (cause) => cause instanceof UpstreamError);
  if (known) return known;
  const outgoing = findCause(error, (cause) => cause instanceof OutgoingError);
  const upstream = provider.id;
  return new UpstreamError(
    `The model provider "${upstream}" ${trouble(outgoing, provider)}.`,
    { upstream },
    { cause: outgoing },
  );
};

const trouble = (error: OutgoingError | undefined, provider: Called): string => {
  const places = listAddressSettings(provider);
  if (!error) {
    return `sent a response that cannot be read, or broke it off: check its ${["type", ...places].join(" and ")}, then try again`;
  }
  switch (error.kind) {
    case "blocked-address":
      return provider.baseUrl === null
        ? `has no public address (${error.host}) as this deployment resolves it. ${withoutStop(privateAddressHint)}`
        : `has no public address: change its baseUrl. ${withoutStop(privateAddressHint)}`;
    case "bad-url":
    case "bad-request":
      return `cannot be called as it is set up: check its ${[...places, "apiKey"].join(" and ")}`;
    case "too-large":
      return "responded with more than can be read: lower maxOutputTokens";
    default: {
      // Only callers who may read the provider may see its base URL.
      const where = provider.baseUrl === null ? ` at ${error.host}` : "";
      const what = places.length === 0 ? "that this deployment can reach it" : `its ${places}`;
      return `could not be reached${where}, or broke off its response: check ${what}, then try again`;
    }
  }
};

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, "");

/** Returns whether the functions' role signs the calls. */
export const isSignedByRole = ({ type, apiKey }: Called): boolean =>
  type === "bedrock" && apiKey === null;

/** Names the settings that locate the service. */
const listAddressSettings = ({ type, baseUrl }: Called): readonly string[] => {
  if (baseUrl !== null) return ["baseUrl"];
  return type === "bedrock" ? ["region"] : [];
};

const findCause = <Found>(
  error: unknown,
  isFound: (cause: unknown) => cause is Found,
): Found | undefined => {
  let cause = error;
  for (let depth = 0; depth < 10 && cause instanceof Error; depth += 1) {
    if (isFound(cause)) return cause;
    cause = cause.cause;
  }
  return undefined;
};
