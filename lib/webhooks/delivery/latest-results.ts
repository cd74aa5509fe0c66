/** Returns the latest run of each subscription; `results` are in the order of their keys. */
export const latestResults = <Result extends { subscriptionId: string }>(
  results: readonly Result[],
): Result[] => [...new Map(results.map((result) => [result.subscriptionId, result])).values()];
