import type { Runtime } from "../runtime/runtime.ts";
import type { TraceContext } from "../tracing/trace-context.ts";
import type { Problem } from "./problems.ts";
import type { PublicAddress } from "./public-address.ts";

/** Facts of a call, whatever its route. Times in Unix milliseconds. */
export type CallContext = Runtime &
  PublicAddress & {
    requestId: string;
    startedAt: number;
    /** When the function will be cut off. */
    deadline: number;
    /** Deadline for the first byte of the response. */
    respondBy: number;
    method: string;
    /** As it was sent, percent-encoded, without the query. */
    path: string;
    /** The caller's address: of the distribution's viewer, where there is one. */
    sourceIp: string;
    userAgent: string | null;
    /** The trace that the request is part of. */
    traceContext: TraceContext | undefined;
  };

/**
 * Tokens of a request with an idempotency key: this attempt's version 7 UUID, and those of failed attempts, oldest
 * first. A resource created under an earlier token is found again by it.
 */
export type Once = {
  token: string;
  earlier: readonly string[];
  /** Keeps nothing of the request: its response is a refusal before anything was started, so that it may be repeated. */
  release?: () => void;
};

/** Releases the idempotency key of a request that is refused with an error; not one for which an execution was started. */
export const releaseKey = (once: Once | undefined, { members }: Pick<Problem, "members">): void => {
  if (members.executionId === undefined) once?.release?.();
};
