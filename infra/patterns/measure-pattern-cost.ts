import { check } from "recheck";
import type { FoundPattern } from "./find-patterns.ts";
import verdicts from "./verdicts.json" with { type: "json" };

/** Growth of the matching cost with the text: linear, faster, or unknown to the checker. */
export type Cost = "linear" | "super-linear" | "unknown";

const verdictKey = (pattern: string, flags: string): string => `/${pattern}/${flags}`;

const known = new Map<string, string>(Object.entries(verdicts));

/** Steps are limited, not time: recheck reports a pattern as slow when a time limit passes, also on a busy machine. */
const unlimitedTime = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  // Skips the measurement of an attack that was found.
  recallTimeout: -1,
} as const;

/**
 * Returns what matching a pattern costs on hostile text. Patterns listed in `verdicts.json` were checked when they
 * were added; others are checked now: steps are counted from a fixed seed, so that a busy machine changes nothing.
 */
export const measurePatternCost = async (pattern: string, flags: string): Promise<Cost> => {
  if (known.get(verdictKey(pattern, flags)) === "linear") return "linear";
  const { status } = await check(pattern, flags, { randomSeed: 1, ...unlimitedTime });
  return costs[status];
};

const costs = { safe: "linear", vulnerable: "super-linear", unknown: "unknown" } as const;

/** Returns the content of `verdicts.json` for these patterns: those that are linear, by name. */
export const collectVerdicts = async (
  patterns: readonly FoundPattern[],
): Promise<Record<string, Cost>> => {
  const verdicts = new Map<string, Cost>();
  for (const { pattern, flags } of patterns) {
    if (pattern === undefined || verdicts.has(verdictKey(pattern, flags))) continue;
    verdicts.set(verdictKey(pattern, flags), await measurePatternCost(pattern, flags));
  }
  const linear = [...verdicts].filter(([, cost]) => cost === "linear");
  return Object.fromEntries(linear.sort(([one], [other]) => (one < other ? -1 : 1)));
};
