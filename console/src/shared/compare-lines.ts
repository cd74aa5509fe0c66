/** A line of a comparison. */
export type DiffLine = { type: "same" | "added" | "removed"; text: string };

/** Compares lines by their longest common subsequence. */
export const compareLines = (before: readonly string[], after: readonly string[]): DiffLine[] => {
  const start = commonStart(before, after);
  const end = commonStart(before.slice(start).toReversed(), after.slice(start).toReversed());
  const same = (text: string): DiffLine => ({ type: "same", text });
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...before.slice(before.length - end).map(same),
  ];
};

const commonStart = (left: readonly string[], right: readonly string[]): number => {
  const at = left.findIndex((line, index) => line !== right[index]);
  return at === -1 ? Math.min(left.length, right.length) : at;
};

/** Above this product of lengths the middle is shown as replaced: comparing it would take too long. */
const largestTable = 4_000_000;

const compareMiddle = (before: readonly string[], after: readonly string[]): DiffLine[] => {
  const removed = (text: string): DiffLine => ({ type: "removed", text });
  const added = (text: string): DiffLine => ({ type: "added", text });
  if (before.length * after.length > largestTable) {
    return [...before.map(removed), ...after.map(added)];
  }
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]];
    if (old !== undefined && old === fresh) {
      lines.push({ type: "same", text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
      lines.push(removed(old));
      row += 1;
    } else if (fresh !== undefined) {
      lines.push(added(fresh));
      column += 1;
    } else if (old !== undefined) {
      lines.push(removed(old));
      row += 1;
    }
  }
  return lines;
};
