/** Prints how far a command is. */
export type Progress = (line: string, options?: { isMilestone?: boolean }) => void;

const everyMs = 5_000;

/** Creates the progress of a command: milestones are printed immediately, other lines at most every five seconds. */
export const createProgress = (print: (line: string) => void, clock: () => number): Progress => {
  let printedAt = clock();
  return (line, { isMilestone = false } = {}) => {
    if (!isMilestone && clock() - printedAt < everyMs) return;
    printedAt = clock();
    print(line);
  };
};

/** Formats a number for people. */
export const formatCount = (count: number): string => count.toLocaleString("en-US");

/** Returns the sum of counts. */
export const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
