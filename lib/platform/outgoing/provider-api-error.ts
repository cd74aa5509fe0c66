import { OutgoingError, type OutgoingErrorKind } from "../outgoing/outgoing-error.ts";

/** A failed call to a provider's API. The message is safe to show to users. */
export class ProviderApiError extends Error {
  override readonly name = "ProviderApiError";
  /** Status of the provider's response; undefined without one. */
  readonly status: number | undefined;
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
    this.isTransient = status !== undefined && (status === 408 || status === 429 || status >= 500);
  }
}

/** Creates the error for a provider's status. */
export const refusedBy = (provider: string, status: number): ProviderApiError =>
  new ProviderApiError(`${provider} ${describeStatus(status)} (${status}).`, status);

const describeStatus = (status: number): string => {
  switch (status) {
    case 400:
    case 422:
      return "does not accept the request";
    case 401:
      return "does not accept the credentials";
    case 403:
      return "does not allow this with these credentials";
    case 404:
    case 410:
      return "does not have the resource, or hides it from these credentials";
    case 429:
      return "received too many requests";
    default:
      return status >= 500 ? "failed" : "responded unexpectedly";
  }
};

/** Creates the error for a response that does not match the provider's API. */
export const unexpectedResponse = (provider: string): ProviderApiError =>
  new ProviderApiError(`${provider} returned a response that does not match its API.`);

/** Kinds of failures that a retry cannot fix. */
const lasting: readonly OutgoingErrorKind[] = ["bad-url", "bad-request", "blocked-address"];

/** A failed call as shown to users, and whether a retry may succeed. */
export type Refusal = { reason: string; isTransient: boolean };

/** Returns the refusal of an error; undefined for internal errors. */
export const refusalIn = (error: unknown): Refusal | undefined => {
  if (error instanceof ProviderApiError) {
    return { reason: error.message, isTransient: error.isTransient };
  }
  if (error instanceof OutgoingError) {
    return { reason: error.message, isTransient: !lasting.includes(error.kind) };
  }
  return undefined;
};
