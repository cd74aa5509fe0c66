/** Why a run, or one attempt at a step, is stopped; the reason of its AbortSignal. */
export class RunStop extends Error {
  override readonly name = "RunStop";
  readonly kind: "ended" | "failed" | "cancelled" | "deadline" | "step-timeout";

  constructor(kind: RunStop["kind"]) {
    super(`stopped: ${kind}`);
    this.kind = kind;
  }
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
