import * as z from "zod";
import type { Cost, TokenCounts } from "../../engine/models/model.ts";
import { addCosts, addTokens, noCost, noTokens } from "../../engine/models/sums.ts";
import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { agentUsageList, revisionUsageList, usageKey } from "../keys.ts";

/** Usage of one model in an execution. */
export type ModelUsage = { providerId: string; modelId: string; tokens: TokenCounts; cost: Cost };
/** Usage of an execution, total and by model. */
export type CountedUsage = { tokens: TokenCounts; cost: Cost; models: readonly ModelUsage[] };

/**
 * Counters are sharded, so that executions that end at the same time seldom conflict; readers sum the shards.
 */
const shards = 8;

/** A transaction takes 100 writes; the end of an execution needs others in addition to its models' counters. */
const maxModels = 80;

/** Counter of the models of an execution beyond the first 80. No provider id starts with "(". */
const otherModels = { providerId: "(others)", modelId: "(others)" };

/**
 * Builds the writes that add an execution to the counters of its revision and models; models beyond the 80
 * most expensive share a counter.
 */
export const countUsage = (
  tenantId: TenantId,
  execution: { id: string; agentId: string; agentRevision: number },
  usage: CountedUsage,
): TransactionWrite[] => {
  const { agentId, agentRevision: revision } = execution;
  const shard = Number.parseInt(execution.id.slice(-2), 16) % shards;
  return [
    add(usageKey(tenantId, agentId, { revision, shard }), usage.tokens, usage.cost),
    ...foldCheapest(usage.models).map(({ providerId, modelId, tokens, cost }) =>
      add(
        usageKey(tenantId, agentId, { revision, shard, model: { providerId, modelId } }),
        tokens,
        cost,
        { providerId, modelId },
      ),
    ),
  ];
};

const foldCheapest = (models: readonly ModelUsage[]): readonly ModelUsage[] => {
  if (models.length <= maxModels) return models;
  const dearestFirst = models.toSorted((one, other) => other.cost.totalCost - one.cost.totalCost);
  const others = dearestFirst.slice(maxModels);
  return [
    ...dearestFirst.slice(0, maxModels),
    {
      ...otherModels,
      tokens: others.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens),
      cost: others.reduce((sum, { cost }) => addCosts(sum, cost), noCost),
    },
  ];
};

const add = (
  Key: { pk: string; sk: string },
  tokens: TokenCounts,
  cost: Cost,
  names: Record<string, string> = {},
): TransactionWrite => {
  const counts = Object.entries({ executionCount: 1, ...tokens, ...cost });
  const sets = Object.entries(names);
  return {
    Update: {
      Key,
      UpdateExpression: `${sets.length > 0 ? `SET ${sets.map(([name]) => `${name} = :${name}`).join(", ")} ` : ""}ADD ${counts.map(([name]) => `${name} :${name}`).join(", ")}`,
      ExpressionAttributeValues: Object.fromEntries(
        [...counts, ...sets].map(([name, value]) => [`:${name}`, value]),
      ),
    },
  };
};

const Counter = z.object({
  executionCount: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  thinkingTokens: z.number(),
  inputCost: z.number(),
  outputCost: z.number(),
  cachedCost: z.number(),
  thinkingCost: z.number(),
  totalCost: z.number(),
  providerId: z.string().optional(),
  modelId: z.string().optional(),
});
/** One shard of a counter; counts the whole revision when provider and model are absent. */
export type UsageCounter = z.output<typeof Counter>;

/** TENANT#t#AGENT#a / USAGE#…: lists all shards of the counters of a revision, or of all revisions (`*`). */
export const listUsage = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  revision: number | "*",
): Promise<UsageCounter[]> => {
  const list =
    revision === "*"
      ? agentUsageList(tenantId, agentId)
      : revisionUsageList(tenantId, agentId, revision);
  return Array.fromAsync(listAll(db, Counter, list));
};
