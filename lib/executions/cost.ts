import type { UsageEntry } from "../engine/flow/flow-result.ts";
import { addCosts, addTokens, noCost, noTokens } from "../engine/models/sums.ts";
import type { CountedUsage } from "../spending/usage/count-usage.ts";

/** Sums the token usage and cost of a flow's model calls, total and by model; not `priced` if one has no price. */
export const countCost = (models: readonly UsageEntry[]): CountedUsage => ({
  tokens: models.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens),
  cost: models.reduce((sum, { cost }) => addCosts(sum, cost), noCost),
  priced: models.every(({ priced }) => priced),
  models,
});
