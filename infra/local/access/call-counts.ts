import { dynamodbActions } from "./dynamodb.ts";

/** Number of storage calls by function, then by IAM action. */
export type StorageCalls = Record<string, Record<string, number>>;

/** Counts storage calls by caller and action. */
export type CallCounts = {
  add: (caller: string, action: string) => void;
  read: () => StorageCalls;
  reset: () => void;
};

/** Memory in which the threads of functions count their own calls to DynamoDB. */
export type SharedCounts = { callers: readonly string[]; memory: SharedArrayBuffer };

/** Creates the memory for the calls of these callers. */
export const createSharedCounts = (callers: readonly string[]): SharedCounts => ({
  callers,
  memory: new SharedArrayBuffer(
    callers.length * dynamodbActions.length * Int32Array.BYTES_PER_ELEMENT,
  ),
});

/** Returns the counts of a caller, in the order of `dynamodbActions`. */
const viewCounts = ({ callers, memory }: SharedCounts, caller: string): Int32Array => {
  const size = dynamodbActions.length;
  const offset = callers.indexOf(caller) * size * Int32Array.BYTES_PER_ELEMENT;
  return new Int32Array(memory, offset, size);
};

/** Creates the counter of one caller in the shared memory. Throws a RangeError for an unknown caller or action. */
export const createSharedCounter = (shared: SharedCounts, caller: string) => {
  const counts = viewCounts(shared, caller);
  return (action: string): void => {
    Atomics.add(counts, dynamodbActions.indexOf(action), 1);
  };
};

/** Creates a counter of storage calls, which also reads and resets those in the shared memory. */
export const createCallCounts = (shared: SharedCounts = createSharedCounts([])): CallCounts => {
  const counts = new Map<string, Map<string, number>>();
  const add = (caller: string, action: string, calls = 1): void => {
    const own = counts.get(caller) ?? new Map<string, number>();
    counts.set(caller, own.set(action, (own.get(action) ?? 0) + calls));
  };
  const collect = (): void => {
    for (const caller of shared.callers) {
      const own = viewCounts(shared, caller);
      for (const [at, action] of dynamodbActions.entries()) {
        const calls = Atomics.exchange(own, at, 0);
        if (calls > 0) add(caller, action, calls);
      }
    }
  };
  return {
    add,
    read: () => {
      collect();
      return Object.fromEntries(
        [...counts].map(([caller, own]) => [caller, Object.fromEntries(own)]),
      );
    },
    reset: () => {
      collect();
      counts.clear();
    },
  };
};
