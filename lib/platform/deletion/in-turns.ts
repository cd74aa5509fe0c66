const atOnce = 10;

/** Removes things ten at a time. */
export const inTurns = async <Thing>(
  things: readonly Thing[],
  remove: (thing: Thing) => Promise<void>,
): Promise<void> => {
  for (let start = 0; start < things.length; start += atOnce) {
    await Promise.all(things.slice(start, start + atOnce).map(remove));
  }
};
