/** The kinds of failure of a step, which `retry.on` can name. */
export const stepErrorSlugs = ["execution-failed", "upstream-failed", "upstream-timeout"] as const;

/** A kind of failure of a step. */
export type StepErrorSlug = (typeof stepErrorSlugs)[number];

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
