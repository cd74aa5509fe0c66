import { vi } from "vitest";

/**
 * Counts what a request costs until it comes out as expected: other files of tests may call the same function
 * at the same moment. What costs more than it should never comes out.
 */
export const undisturbed = (count: () => Promise<void>): Promise<void> =>
  vi.waitFor(count, { timeout: 20_000, interval: 50 });
