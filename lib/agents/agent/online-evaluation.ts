import { createHash } from "node:crypto";
import * as z from "zod";
import { Timestamp } from "../../platform/http/ids.ts";

/** Selects the executions of an agent to score in the background; part of the agent's item. */
export const OnlineEvaluationItem = z.object({
  /** Ids of the scorers. */
  scorers: z.array(z.string()),
  sampleRate: z.number(),
  /** Agents of `Agent` scorers that the caller who set it was allowed to run. */
  agents: z.array(z.string()).default([]),
  /** Executions a calendar month (UTC). */
  monthlyLimit: z.int(),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});
export type OnlineEvaluationItem = z.output<typeof OnlineEvaluationItem>;

const buckets = 2 ** 32;

/** Returns whether an execution is in the sample: by a hash of its id, so that every function decides the same. */
export const isInSample = (
  executionId: string,
  { sampleRate }: Pick<OnlineEvaluationItem, "sampleRate">,
): boolean =>
  createHash("sha256").update(executionId).digest().readUInt32BE() < sampleRate * buckets;
