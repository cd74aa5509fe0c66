/** The part of a text that differs. */
export type TextChange = { from: number; to: number; insert: string };

/** Returns the smallest single change that makes a text of another; undefined if they are the same. */
export const changeBetween = (before: string, after: string): TextChange | undefined => {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  return {
    from: start,
    to: before.length - end,
    insert: after.slice(start, after.length - end),
  };
};
