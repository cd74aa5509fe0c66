import * as z from "zod";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";

const scorers = z
  .array(ChosenId)
  .min(1)
  .max(10)
  .refine((ids) => new Set(ids).size === ids.length, "must not have duplicate scorers")
  .meta({
    description: "Ids of scorers. A score has its scorer's id as its name.",
    example: ["polite"],
  });
const sampleRate = z
  .number()
  .min(0)
  .max(1)
  .refine((rate) => rate === 0 || rate >= 1e-9, "must be 0, or 0.000000001 or more")
  .meta({
    description: "Part of the agent's succeeded executions that is scored, without tests.",
    example: 0.1,
  });
const monthlyLimit = z.int().min(1).max(1_000_000).meta({
  description: "Executions that are scored in a calendar month (UTC), at most.",
  example: 1_000,
});

/** Monthly limit of an online evaluation that is sent without one. */
const usualLimit = 1_000;

/** Request body that sets an agent's online evaluation. */
export const PutOnlineEvaluationBody = z
  .object({
    scorers,
    sampleRate,
    monthlyLimit: monthlyLimit.nullish().transform((limit) => limit ?? usualLimit),
  })
  .meta({
    id: "PutOnlineEvaluationBody",
    example: { scorers: ["polite"], sampleRate: 0.1, monthlyLimit: 1_000 },
  });
export type PutOnlineEvaluationBody = z.output<typeof PutOnlineEvaluationBody>;

/** Executions of a month that a scorer of an online evaluation could not score. */
export const EvaluationFailure = z
  .object({
    scorer: ChosenId,
    failedThisMonth: z.int().meta({
      description: "Executions that got no score from it in this month (UTC).",
    }),
    lastFailedAt: Timestamp,
    executionId: Uuid.meta({ description: "The execution that failed last." }),
    detail: z.string().nullable().meta({
      description: "Why, at that time; null for callers without `executions:read`.",
      example: "The judge's response is not a valid rating: it is not valid JSON.",
    }),
  })
  .meta({ id: "EvaluationFailure" });
export type EvaluationFailure = z.output<typeof EvaluationFailure>;

/** An agent's online evaluation: which of its executions are scored in the background. */
export const OnlineEvaluation = z
  .object({
    agentId: ChosenId,
    scorers,
    sampleRate,
    monthlyLimit,
    evaluatedThisMonth: z.int().meta({ description: "Executions scored in this month (UTC)." }),
    failures: z.array(EvaluationFailure).meta({
      description: "Of the scorers that failed in this month, in the order of `scorers`.",
    }),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "OnlineEvaluation" });
export type OnlineEvaluation = z.output<typeof OnlineEvaluation>;
