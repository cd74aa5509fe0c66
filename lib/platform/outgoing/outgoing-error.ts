/** Reason why a call failed without a response. */
export type OutgoingErrorKind =
  | "bad-url"
  | "bad-request"
  | "blocked-address"
  | "connection-failed"
  | "timeout"
  | "too-large"
  | "too-many-redirects";

/** A call without a response. The message never contains the user, password, path or query of a URL. */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly kind: OutgoingErrorKind;
  /** The host of the call; empty when the URL has none. */
  readonly host: string;

  constructor(kind: OutgoingErrorKind, message: string, host = "", options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.host = host;
  }
}
