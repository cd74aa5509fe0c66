import { watch } from "node:fs";
import { waitFor } from "../../client/retry.ts";
import { agentFileEnding } from "../files/agent-file.ts";

/** Editors save a file in several steps. */
const settleMilliseconds = 100;

/** Iterates over the changes of agents and skills in a folder from now on, until the signal aborts. */
export const changesIn = (folder: string, signal: AbortSignal): AsyncGenerator<void> => {
  let changed = newEvent();
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name === null || name.endsWith(agentFileEnding) || name.startsWith("skills")) {
      changed.occur();
    }
  });
  const stop = (): void => {
    watcher.close();
    changed.occur();
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  const iterate = async function* (): AsyncGenerator<void> {
    for (;;) {
      await changed.occurred;
      await waitFor(settleMilliseconds, signal).catch(() => undefined);
      if (signal.aborted) return;
      changed = newEvent();
      yield;
    }
  };
  return iterate();
};

const newEvent = (): { occurred: Promise<void>; occur: () => void } => {
  let occur = (): void => undefined;
  const occurred = new Promise<void>((resolve) => {
    occur = resolve;
  });
  return { occurred, occur };
};
