import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

/** Failures of a model after which another one may be called. */
export const failureReasons = [
  "rate-limited",
  "overloaded",
  "unavailable",
  "timeout",
  "context-exceeded",
  "refused",
] as const;

/** Why a model failed. */
export type FailureReason = (typeof failureReasons)[number];

/** Facts about a failed call of a model. */
export type FailureFacts = {
  readonly upstream: string;
  readonly upstreamStatus?: number | undefined;
  /** Undefined for a mistake in the configuration, which other calls repeat. */
  readonly reason?: FailureReason | undefined;
  /** Milliseconds after which the service accepts calls again. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the service may have counted tokens: it accepted the request. */
  readonly wasAccepted?: boolean;
  readonly timedOut?: boolean;
};

/** A model's failure. */
export class ModelFailure extends UpstreamError {
  readonly reason: FailureReason | undefined;
  readonly retryAfterMs: number | undefined;
  readonly wasAccepted: boolean;

  constructor(message: string, facts: FailureFacts, options?: ErrorOptions) {
    const { upstream, upstreamStatus, timedOut } = facts;
    super(
      message,
      {
        upstream,
        ...(upstreamStatus !== undefined && { upstreamStatus }),
        ...(timedOut !== undefined && { timedOut }),
      },
      options,
    );
    this.reason = facts.reason;
    this.retryAfterMs = facts.retryAfterMs;
    this.wasAccepted = facts.wasAccepted ?? false;
  }
}

/** The longest time for which a model that failed is left alone, and for which a step waits to be retried. */
export const maxRestMs = 300_000;
