import * as z from "zod";
import { ChosenId } from "../../platform/http/ids.ts";

const day = (description: string, example: string) =>
  z.iso.date("must be a day, YYYY-MM-DD").meta({ description, example });

/** Dimensions by which usage is grouped. */
export const UsageGroup = z.enum(["agent", "model", "revision", "trigger", "score"]);
export type UsageGroup = z.output<typeof UsageGroup>;

/** Query parameters of a usage report. */
export const usageQuery = {
  from: day("First day (UTC), inclusive.", "2026-11-01"),
  to: day("Last day (UTC), inclusive; at most 366 days.", "2026-11-30"),
  groupBy: UsageGroup.default("agent").meta({ description: "Meaning of the `key` of an item." }),
  agent: ChosenId.optional().meta({ description: "Returns only the usage of this agent." }),
} as const;

const count = z.int();
const unpricedCount = count.meta({
  description: "Executions that called a model without a price; its calls cost 0 in the sums.",
});
const dollars = z.number().meta({ description: "US dollars." });

/** Usage of one day and key. */
export const UsageItem = z
  .object({
    date: z.iso.date().meta({
      description: "UTC day on which the executions started, or texts were embedded.",
    }),
    key: z.string().meta({
      description:
        "By `groupBy`: the agent's id, `<provider id>/<model>`, `<agent id>/<revision>`, the number of the trigger type, or the name of a score; `(knowledge)` for embeddings outside of executions, and `(experiments)` for judges of experiments, except by model; by trigger, `(evaluation)` for judges of an online evaluation.",
      example: "hello",
    }),
    executionCount: count.meta({
      description:
        "Executions; by model, one per model that an execution called, and by score, one per score of the name. The other counts are 0 by score.",
    }),
    failedCount: count.meta({ description: "Executions that failed or timed out." }),
    unpricedCount: count.meta({
      description:
        "Executions that called a model without a price; by model, those in which this one had none. Counts of embeddings and of judges outside of executions count, too.",
    }),
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count,
    thinkingTokens: count,
    inputCost: dollars,
    outputCost: dollars,
    totalCost: dollars,
    meanScore: z.number().nullable().optional().meta({
      description:
        "Only by score: mean of the values, true being 1 and false 0; null where all are texts.",
    }),
  })
  .meta({ id: "UsageItem" });
export type UsageItem = z.output<typeof UsageItem>;

/** Usage by day, oldest first, then by key. */
export const UsageReport = z.object({ items: z.array(UsageItem) }).meta({ id: "UsageReport" });
export type UsageReport = z.output<typeof UsageReport>;

/** Cost of a revision's executions; `revision` 0 is the sum of all revisions. */
export const RevisionCost = z
  .object({
    agentId: ChosenId,
    revision: z.int(),
    inputCost: dollars,
    outputCost: dollars,
    totalCost: dollars,
    executionCount: count,
    unpricedCount,
    inputTokens: count,
    outputTokens: count,
  })
  .meta({ id: "RevisionCost" });
export type RevisionCost = z.output<typeof RevisionCost>;

/** Usage of one model; `revision` 0 is the sum of all revisions. */
export const ModelUsageEntry = z
  .object({
    revision: z.int(),
    modelId: z.string(),
    providerId: z.string(),
    inputTokens: count,
    outputTokens: count,
    cachedTokens: count,
    thinkingTokens: count,
    executionCount: count,
    unpricedCount,
    inputCost: dollars,
    outputCost: dollars,
    totalCost: dollars,
  })
  .meta({ id: "ModelUsageEntry" });
export type ModelUsageEntry = z.output<typeof ModelUsageEntry>;

/** One entry per provider and model, by cost descending. */
export const ModelUsageList = z.array(ModelUsageEntry).meta({ id: "ModelUsageList" });
