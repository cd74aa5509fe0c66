/** The kinds of failure of a step that `retry.on` can name. */
export const repeatableSlugs = ["execution-failed", "upstream-failed", "upstream-timeout"] as const;

/** A kind of failure of a step. Nothing is gained by trying again when the budget is spent. */
export type StepErrorSlug = (typeof repeatableSlugs)[number] | "budget-exceeded";

/** A step that failed, in words that may be shown. */
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
