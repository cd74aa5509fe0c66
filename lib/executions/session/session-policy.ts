import type { SessionPolicy } from "../../agents/revision/session-policy.ts";

const maxTurns = 50;
const retentionDays = 30;

/** Limits of the turns that a session keeps. */
export type KeptTurns = {
  maxTurns: number;
  /** Estimated; Infinity for no limit. */
  maxTokens: number;
  onOverflow: "drop" | "summarize";
  retentionDays: number;
};

/** Returns a revision's policy with its defaults. */
export const toKeptTurns = (policy: SessionPolicy | null): KeptTurns => ({
  maxTurns: policy?.maxTurns ?? maxTurns,
  maxTokens: policy?.maxTokens ?? Number.POSITIVE_INFINITY,
  onOverflow: policy?.onOverflow ?? "drop",
  retentionDays: policy?.retentionDays ?? retentionDays,
});

/** Estimated tokens of all turns that models receive, whatever the policy: about 4 MB. */
const mostTokens = 1_000_000;

/** Divides turns, oldest first, into those that fit, the newest, and the older ones. */
export const divideTurns = <Item extends { tokens: number }>(
  turns: readonly Item[],
  { maxTurns: most, maxTokens }: Pick<KeptTurns, "maxTurns" | "maxTokens">,
): { older: readonly Item[]; kept: readonly Item[] } => {
  let left = Math.min(maxTokens, mostTokens);
  let count = 0;
  for (const { tokens } of turns.toReversed()) {
    left -= tokens;
    if (left < 0 || count === most) break;
    count += 1;
  }
  const at = turns.length - count;
  return { older: turns.slice(0, at), kept: turns.slice(at) };
};
