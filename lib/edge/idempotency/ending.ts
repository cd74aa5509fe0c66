import * as z from "zod";
import { type ProblemSlug, problemRegistry } from "../../platform/http/problem-registry.ts";
import { Problem } from "../../platform/http/problems.ts";
import { type HttpResponse, Reply } from "../respond.ts";
import type { Route } from "../route.ts";
import { replayedHeader } from "./idempotency-key.ts";

const headers = z.record(z.string(), z.string());

/** The stored outcome of a request: a response, or the problem of a failed execution. */
export const Ending = z.union([
  z.object({ status: z.int(), headers, body: z.string() }),
  z.object({
    slug: z.custom<ProblemSlug>((slug) => Object.hasOwn(problemRegistry, String(slug))),
    detail: z.string(),
    members: z.record(z.string(), z.unknown()),
    headers,
  }),
]);
export type Ending = z.output<typeof Ending>;

const Shown = z.record(z.string(), z.unknown());

/** Returns the outcome to store for a response, without the members that are shown once. */
export const toResponseEnding = (
  { shownOnce }: Pick<Route, "shownOnce">,
  { status, headers, body }: HttpResponse,
): Ending => {
  if (shownOnce.length === 0) return { status, headers, body };
  const shown = Shown.parse(JSON.parse(body));
  for (const name of shownOnce) shown[name] = null;
  return { status, headers, body: JSON.stringify(shown) };
};

/**
 * Returns the outcome to store for a failure; undefined to store none. Only the failure of an execution that ran is
 * stored: it was recorded and charged, so a repetition must not run it again. After any other failure, which had no
 * effect, the caller may fix the cause and retry under the same key.
 */
export const toFailureEnding = (error: unknown): Ending | undefined =>
  error instanceof Problem && error.members.executionId !== undefined
    ? { slug: error.slug, detail: error.message, members: error.members, headers: error.headers }
    : undefined;

/** Returns the stored response, or throws the stored problem. */
export const replay = (ending: Ending): Reply => {
  const headers = { ...ending.headers, [replayedHeader]: "true" };
  if ("body" in ending) return new Reply(ending.body, headers, ending.status);
  throw new Problem(ending.slug, ending.detail, { members: ending.members, headers });
};
