/** Failures that `retry.on` can name. */
export const repeatableSlugs = ["execution-failed", "upstream-failed", "upstream-timeout"] as const;

/** Slug of a step's failure. An exceeded budget, or a `conflict` with a limit of the tenant, is never retried. */
export type StepErrorSlug = (typeof repeatableSlugs)[number] | "budget-exceeded" | "conflict";

/** A step's failure; its message is public. */
export class StepError extends Error {
  override readonly name = "StepError";
  readonly slug: StepErrorSlug;
  readonly upstream: string | undefined;
  readonly upstreamStatus: number | undefined;

  constructor(
    slug: StepErrorSlug,
    message: string,
    details: { upstream?: string; upstreamStatus?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.slug = slug;
    this.upstream = details.upstream;
    this.upstreamStatus = details.upstreamStatus;
  }
}
