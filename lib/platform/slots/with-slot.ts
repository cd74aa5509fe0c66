import type { Slot } from "./tenant-slots.ts";

/** Takes a slot; undefined when all are taken. */
type TakeOne = () => Promise<Slot | undefined>;

/** Runs work that waits with a slot, unless none is needed; undefined without the work when all are taken. */
export const withSlot = async <Result>(
  takeSlot: TakeOne | undefined,
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
