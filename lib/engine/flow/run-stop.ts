/** Abort reason of a run or a part of it. */
export class RunStop extends Error {
  override readonly name = "RunStop";
  readonly kind:
    | "ended"
    | "failed"
    | "cancelled"
    | "deadline"
    | "interrupted"
    | "step-timeout"
    | "neighbor-failed"
    | "waiting";

  constructor(kind: RunStop["kind"]) {
    super(`stopped: ${kind}`);
    this.kind = kind;
  }
}

/** Returns whether steps that finish after this abort are kept, because another run may resume after them. */
export const keepsFinished = ({ reason }: AbortSignal): boolean =>
  reason instanceof RunStop && (reason.kind === "interrupted" || reason.kind === "neighbor-failed");

/** Returns a promise that rejects with the signal's reason; `release` removes the listener. */
export const whenAborted = (
  signal: AbortSignal,
): {
  readonly aborted: Promise<never>;
  release(): void;
} => {
  let listener = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    listener = () => reject(signal.reason);
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener, { once: true });
  });
  // Avoids an unhandled rejection when nothing awaits it any more.
  aborted.catch(() => {});
  return { aborted, release: () => signal.removeEventListener("abort", listener) };
};

/** Aborts `target` with the signal's reason when the signal is aborted; returns a function that ends this. */
export const follow = (signal: AbortSignal, target: AbortController): (() => void) => {
  const abort = () => target.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
};
