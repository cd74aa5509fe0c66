/** An outside service (a model, a tool's server) answered with an error, or not in time. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** What the service is called: a provider's id or a host's name, never a whole URL. */
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
