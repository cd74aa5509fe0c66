/** Memory that pieces of work share. */
export type ByteRoom = {
  /** Opens a place for content of a size. `drop` is called when other work takes the room of content that is not in use. */
  open(bytes: number, drop: () => void): RoomPlace;
};

/** A place for content: its room is taken while work uses it, and after it until other work waits for room. */
export type RoomPlace = {
  /** Does work as soon as there is room. Rejects when the signal is aborted before. The work must not open or use another place. */
  use<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** Frees the room of content that is not in use. */
  close(): void;
};

type Content = { readonly bytes: number; readonly drop: () => void };

/** Creates a room of a number of bytes. Content that is larger is used alone. Work enters in the order in which it came. */
export const createByteRoom = (most: number): ByteRoom => {
  const idle = new Set<Content>();
  const waiting: { readonly bytes: number; readonly enter: () => void }[] = [];
  let taken = 0;
  const free = (content: Content): boolean => {
    if (!idle.delete(content)) return false;
    taken -= content.bytes;
    return true;
  };
  const letIn = (): void => {
    for (let [next] = waiting; next; [next] = waiting) {
      for (const content of [...idle]) {
        if (taken + next.bytes <= most) break;
        free(content);
        content.drop();
      }
      if (taken > 0 && taken + next.bytes > most) return;
      waiting.shift();
      taken += next.bytes;
      next.enter();
    }
  };
  const enter = (bytes: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiter = {
        bytes,
        enter: () => {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        letIn();
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(waiter);
      letIn();
    });
  return {
    open: (bytes, drop) => {
      const content = { bytes, drop };
      return {
        use: async (signal, work) => {
          signal.throwIfAborted();
          if (!idle.delete(content)) await enter(bytes, signal);
          try {
            return await work();
          } finally {
            idle.add(content);
            letIn();
          }
        },
        close: () => {
          if (free(content)) letIn();
        },
      };
    },
  };
};
