const maxTimerMs = 2 ** 31 - 1;

/** Waits with a timer; resolves immediately when the signal is aborted. */
export const waitWithTimer = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.min(Math.max(0, ms), maxTimerMs));
    signal.addEventListener("abort", finish, { once: true });
  });

/** Ends what waits for a controller's signal. Its reason is a text: an error with a stack takes ten times longer. */
export const endWaits = (controller: AbortController): void => controller.abort("ended");
