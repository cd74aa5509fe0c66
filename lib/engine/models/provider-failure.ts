import { privateAddressHint } from "../../platform/outgoing/blocked-address.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import {
  type Classified,
  classifyFailure,
  classifyReportedFailure,
  readServiceError,
  type ServiceError,
} from "./classify-failure.ts";
import { ModelFailure, maxRestMs } from "./model-failure.ts";
import type { ProviderSettings } from "./provider-settings.ts";
import { StreamedError } from "./streamed-error.ts";

/** Facts that the detail of a failure depends on. */
export type Called = Pick<ProviderSettings, "id" | "type" | "baseUrl" | "apiKey">;

/**
 * Maps a service's error response to an error, without its body.
 * @param retryAfterMs delay that the response names
 */
export const providerStatusFailure = (
  provider: Called,
  error: ServiceError & { readonly status: number },
  retryAfterMs: number | undefined,
): ModelFailure => {
  const { status: upstreamStatus } = error;
  const upstream = provider.id;
  const classified = classifyFailure(error);
  return new ModelFailure(
    `The model provider "${upstream}" ${complaint(upstreamStatus, classified, provider)} (${upstreamStatus}).`,
    {
      upstream,
      upstreamStatus,
      reason: classified.reason,
      retryAfterMs: longest(classified.retryAfterMs, retryAfterMs),
    },
  );
};

const longest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);

const complaint = (
  status: number | undefined,
  { reason, retryAfterMs = 0 }: Classified,
  provider: Called,
): string => {
  switch (reason) {
    case "rate-limited":
      return retryAfterMs > maxRestMs
        ? "has no quota left: raise its limits, or wait until they are reset"
        : "throttles requests: try again later, or raise its limits";
    case "overloaded":
      return "is overloaded: try again later";
    case "context-exceeded":
      return "found the request too large for the model: shorten the prompt";
    case "refused":
      return "refused to respond: its filter found the prompt or the response harmful";
    case "timeout":
    case "unavailable":
      return "failed: try again later";
    default:
      return complainOfStatus(status, provider);
  }
};

const complainOfStatus = (status = 0, provider: Called): string => {
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
    default:
      return "refused the request: check the provider's settings";
  }
};

/** Maps an error of calling a service or reading its response. */
export const callFailure = (provider: Called, error: unknown): UpstreamError => {
  const known = findCause(error, (cause) => cause instanceof UpstreamError);
  if (known) return known;
  const outgoing = findCause(error, (cause) => cause instanceof OutgoingError);
  const upstream = provider.id;
  const reported = outgoing ? undefined : reportedFailure(provider, error);
  if (reported) return reported;
  const isOurs = outgoing !== undefined && ownMistakes.has(outgoing.kind);
  return new ModelFailure(
    `The model provider "${upstream}" ${trouble(outgoing, provider)}.`,
    {
      upstream,
      reason: isOurs ? undefined : outgoing?.kind === "timeout" ? "timeout" : "unavailable",
      wasAccepted: outgoing === undefined || outgoing.kind === "too-large",
    },
    { cause: outgoing },
  );
};

/** Calls without a response that fail again whatever the service does. */
const ownMistakes: ReadonlySet<string> = new Set([
  "blocked-address",
  "bad-url",
  "bad-request",
  "too-large",
  "too-many-redirects",
]);

const reportedFailure = (provider: Called, error: unknown): ModelFailure | undefined => {
  const streamed = findCause(error, (cause) => cause instanceof StreamedError);
  const read = readServiceError(streamed ? streamed.value : error);
  return read && describeReportedFailure(provider, read);
};

/** Maps an error that a response of status 200 is or contains. */
export const describeReportedFailure = (provider: Called, read: ServiceError): ModelFailure => {
  const classified = classifyReportedFailure(read);
  const { reason, retryAfterMs } = classified;
  const { status: upstreamStatus } = read;
  const upstream = provider.id;
  const shown = upstreamStatus === undefined ? "" : `, as ${upstreamStatus}`;
  return new ModelFailure(
    `The model provider "${upstream}" ${complaint(upstreamStatus ?? 400, classified, provider)} (an error in its response${shown}).`,
    { upstream, upstreamStatus, reason, retryAfterMs, wasAccepted: true },
  );
};

/** Returns the failure of a response that the service's filter ended. */
export const refusalFailure = (upstream: string): ModelFailure =>
  new ModelFailure(
    `The model provider "${upstream}" refused to respond: its filter found the prompt or the response harmful.`,
    { upstream, reason: "refused", wasAccepted: true },
  );

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
