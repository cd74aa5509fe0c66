/** Failures that `retry.on` can name. */
export const repeatableSlugs = ["execution-failed", "upstream-failed", "upstream-timeout"] as const;

/** Failures that are never retried: an exceeded budget, a `conflict` with a limit of the tenant, a guardrail that blocked. */
export const finalSlugs = ["budget-exceeded", "conflict", "guardrail-blocked"] as const;

/** Slug of a step's failure. */
export type StepErrorSlug = (typeof repeatableSlugs)[number] | (typeof finalSlugs)[number];

/** The check of a guardrail that blocked a value. */
export type Blocked = { readonly guardrail: string; readonly check: string };

/** A step's failure; its message is public. */
export class StepError extends Error {
  override readonly name = "StepError";
  readonly slug: StepErrorSlug;
  readonly upstream: string | undefined;
  readonly upstreamStatus: number | undefined;
  /** The check that blocked, for `guardrail-blocked`. */
  readonly blocked: Blocked | undefined;

  constructor(
    slug: StepErrorSlug,
    message: string,
    details: {
      upstream?: string;
      upstreamStatus?: number;
      blocked?: Blocked;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.slug = slug;
    this.upstream = details.upstream;
    this.upstreamStatus = details.upstreamStatus;
    this.blocked = details.blocked;
  }
}
