/** Why a call to a user's address gave no answer. */
export type OutgoingErrorKind =
  | "bad-url"
  | "bad-request"
  | "blocked-address"
  | "connection-failed"
  | "timeout"
  | "too-large"
  | "too-many-redirects";

/** A call that gave no answer. The message never holds a URL's user, password, path or query. */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly kind: OutgoingErrorKind;
  /** The host that was called, as far as there was one. */
  readonly host: string;

  constructor(kind: OutgoingErrorKind, message: string, host = "", options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.host = host;
  }
}
