import { vi } from "vitest";

/**
 * Repeats a count until it matches, because other test files may call the same function at the same time. A cost above
 * the expected one never matches.
 */
export const undisturbed = (count: () => Promise<void>): Promise<void> =>
  vi.waitFor(count, { timeout: 20_000, interval: 50 });
