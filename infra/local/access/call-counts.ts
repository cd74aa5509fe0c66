/** Number of storage calls by function, then by IAM action. */
export type StorageCalls = Record<string, Record<string, number>>;

/** Counts storage calls by caller and action. */
export type CallCounts = {
  add: (caller: string, action: string) => void;
  read: () => StorageCalls;
  reset: () => void;
};

/** Creates a counter of storage calls. */
export const createCallCounts = (): CallCounts => {
  const counts = new Map<string, Map<string, number>>();
  return {
    add: (caller, action) => {
      let own = counts.get(caller);
      if (!own) {
        own = new Map();
        counts.set(caller, own);
      }
      own.set(action, (own.get(action) ?? 0) + 1);
    },
    read: () =>
      Object.fromEntries([...counts].map(([caller, own]) => [caller, Object.fromEntries(own)])),
    reset: () => counts.clear(),
  };
};
