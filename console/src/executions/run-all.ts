/** Result of an action on several items: how many succeeded and failed, and the first problem. */
export type BulkResult = { succeeded: number; failed: number; firstProblem: string | undefined };

/** Runs an action for items one after the other; one that fails does not stop the others. */
export const runAll = async <Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
  onProgress: (done: number) => void = () => {},
): Promise<BulkResult> => {
  const result: BulkResult = { succeeded: 0, failed: 0, firstProblem: undefined };
  for (const item of items) {
    try {
      await run(item);
      result.succeeded += 1;
    } catch (error) {
      result.failed += 1;
      result.firstProblem ??= error instanceof Error ? error.message : String(error);
    }
    onProgress(result.succeeded + result.failed);
  }
  return result;
};

/** Describes the result: `3 started, 1 failed: The agent has no deployed revision.` */
export const describeResult = (
  { succeeded, failed, firstProblem }: BulkResult,
  verb: string,
): string => {
  if (failed === 0) return `${succeeded} ${verb}.`;
  return `${succeeded} ${verb}, ${failed} failed: ${firstProblem}`;
};
