/** An external service (a model, a tool's server) responded with an error, or not in time. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** Provider id or host name of the service, never a URL. */
  readonly upstream: string;
  readonly upstreamStatus: number | undefined;
  readonly timedOut: boolean;
  /** Beginning of its response, credentials masked; for traces and models, never for problems. */
  readonly responseExcerpt: string | undefined;
  /** Scopes that the service wants of an access token, where it refused one without them (RFC 6750, 3.1); none otherwise. */
  readonly missingScopes: readonly string[];
  /** Errors of the challenges with which it refused an access token (RFC 6750, 3.1; RFC 9449, 7.1); none otherwise. */
  readonly tokenErrors: readonly string[];
  /** Whether an earlier request of the call may have changed something: the service redirected it to its result. */
  readonly hasActed: boolean;

  constructor(
    message: string,
    details: {
      upstream: string;
      upstreamStatus?: number;
      timedOut?: boolean;
      responseExcerpt?: string;
      missingScopes?: readonly string[];
      tokenErrors?: readonly string[];
      hasActed?: boolean;
    },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.upstream = details.upstream;
    this.upstreamStatus = details.upstreamStatus;
    this.responseExcerpt = details.responseExcerpt;
    this.missingScopes = details.missingScopes ?? [];
    this.tokenErrors = details.tokenErrors ?? [];
    this.hasActed = details.hasActed ?? false;
    this.timedOut = details.timedOut ?? false;
  }
}
