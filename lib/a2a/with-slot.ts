import type { TakeSlot } from "../edge/limit-concurrency.ts";

/** A caller who may need one of its tenant's slots to wait. */
export type SlottedCaller = { takeSlot?: TakeSlot | undefined };

/** Runs work that waits with one of the tenant's slots, if it needs one; undefined without the work when all are taken. */
export const withSlot = async <Result>(
  { takeSlot }: SlottedCaller,
  work: () => Promise<Result>,
): Promise<Result | undefined> => {
  const slot = takeSlot && (await takeSlot());
  if (takeSlot && !slot) return undefined;
  try {
    return await work();
  } finally {
    await slot?.release();
  }
};
