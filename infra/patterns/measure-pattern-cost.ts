import { check } from "recheck";
import verdicts from "./verdicts.json" with { type: "json" };

/** Growth of the matching cost with the text: linear, faster, or unknown to the checker. */
export type Cost = "linear" | "super-linear" | "unknown";

const known = new Map<string, string>(Object.entries(verdicts));

/**
 * Returns what matching a pattern costs on hostile text. Patterns listed in `verdicts.json` were checked when they
 * were added; others are checked now: steps are counted from a fixed seed, so that a busy machine changes nothing.
 */
export const measurePatternCost = async (pattern: string, flags: string): Promise<Cost> => {
  if (known.get(`/${pattern}/${flags}`) === "linear") return "linear";
  const { status } = await check(pattern, flags, {
    randomSeed: 1,
    recallTimeout: -1,
    timeout: 60_000,
  });
  return costs[status];
};

const costs = { safe: "linear", vulnerable: "super-linear", unknown: "unknown" } as const;
