import type { Runtime } from "../runtime/runtime.ts";

/** Facts of a call, whatever its route. Times in Unix milliseconds. */
export type CallContext = Runtime & {
  requestId: string;
  startedAt: number;
  /** When the function will be cut off. */
  deadline: number;
  /** When the response must have begun. */
  respondBy: number;
  method: string;
  /** As it was sent, percent-encoded, without the query. */
  path: string;
  /** Where the API is for this caller, such as https://api.example.com/live; no slash at the end. */
  baseUrl: string;
  sourceIp: string;
  userAgent: string | null;
};

/**
 * What a run knows of its request: a version 7 uuid of its own, and those of earlier runs that died, the first one
 * first. Work that creates something under its token finds, under the others, what was created before.
 */
export type Once = { token: string; earlier: readonly string[] };
