import { OutgoingError, type OutgoingErrorKind } from "../outgoing/outgoing-error.ts";

/** Why a provider did not do as it was asked. The message is a short reason that a user may read. */
export class RegistrationError extends Error {
  override readonly name = "RegistrationError";
  /** The provider's answer; undefined when it was not asked. */
  readonly status: number | undefined;
  /** Whether it may go well another time. */
  readonly isTransient: boolean;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
    this.isTransient = status !== undefined && (status === 408 || status === 429 || status >= 500);
  }
}

/** What a provider's answer means, in words. */
export const refusedBy = (provider: string, status: number): RegistrationError =>
  new RegistrationError(`${provider} ${meaningOf(status)} (${status}).`, status);

const meaningOf = (status: number): string => {
  switch (status) {
    case 400:
    case 422:
      return "does not accept what was asked";
    case 401:
      return "does not accept the credentials";
    case 403:
      return "does not allow this with these credentials";
    case 404:
    case 410:
      return "has no such place, or hides it from these credentials";
    case 429:
      return "has had too many requests";
    default:
      return status >= 500 ? "failed" : "answered unexpectedly";
  }
};

/** The answer is no JSON, or lacks what the provider's API promises. */
export const notOfItsApi = (provider: string): RegistrationError =>
  new RegistrationError(`${provider} gave an answer that is none of its API's.`);

/** Failures of a call that another call cannot mend. */
const lasting: readonly OutgoingErrorKind[] = ["bad-url", "bad-request", "blocked-address"];

/** Why a provider was not asked, or refused, as a user may read it, and whether that may pass. */
export type Refusal = { reason: string; isTransient: boolean };

/** The refusal that an error means; undefined for errors of our own. */
export const refusalIn = (error: unknown): Refusal | undefined => {
  if (error instanceof RegistrationError) {
    return { reason: error.message, isTransient: error.isTransient };
  }
  if (error instanceof OutgoingError) {
    return { reason: error.message, isTransient: !lasting.includes(error.kind) };
  }
  return undefined;
};
