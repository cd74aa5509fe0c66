/** Why a run, or a part of it, is stopped; the reason of its AbortSignal. */
export class RunStop extends Error {
  override readonly name = "RunStop";
  readonly kind:
    | "ended"
    | "failed"
    | "cancelled"
    | "deadline"
    | "interrupted"
    | "step-timeout"
    | "neighbor-failed";

  constructor(kind: RunStop["kind"]) {
    super(`stopped: ${kind}`);
    this.kind = kind;
  }
}

/** Whether what finishes after such a stop is kept, because the flow may go on from it. */
export function keepsFinished({ reason }: AbortSignal): boolean {
  return (
    reason instanceof RunStop &&
    (reason.kind === "interrupted" || reason.kind === "neighbor-failed")
  );
}

/** Rejects with the signal's reason once it is aborted; `release` forgets about the signal. */
export function whenAborted(signal: AbortSignal): {
  readonly aborted: Promise<never>;
  release(): void;
} {
  let listener = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    listener = () => reject(signal.reason);
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener, { once: true });
  });
  // Nobody may be waiting any more by the time that it is aborted.
  aborted.catch(() => {});
  return { aborted, release: () => signal.removeEventListener("abort", listener) };
}

/** Aborts `target` with the signal's reason once the signal is aborted; gives how to end that. */
export function follow(signal: AbortSignal, target: AbortController): () => void {
  const abort = () => target.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}
