/** An external service (a model, a tool's server) responded with an error, or not in time. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** Provider id or host name of the service, never a URL. */
  readonly upstream: string;
  readonly upstreamStatus: number | undefined;
  readonly timedOut: boolean;

  constructor(
    message: string,
    details: { upstream: string; upstreamStatus?: number; timedOut?: boolean },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.upstream = details.upstream;
    this.upstreamStatus = details.upstreamStatus;
    this.timedOut = details.timedOut ?? false;
  }
}
