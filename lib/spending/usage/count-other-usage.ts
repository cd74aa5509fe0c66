import { noCost, noTokens } from "../../engine/models/sums.ts";
import type { CountEmbeddings } from "../../knowledge/usage/embedding-usage.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import {
  addToCounter,
  type CountedExecution,
  type ModelUsage,
  withoutModels,
} from "./count-usage.ts";

/**
 * Why models are called for an execution after its end. `trigger`: of the counters of these calls, where executions have 0 to
 * 5. `key`: in usage by trigger.
 */
export const callsAfterEnd = {
  evaluation: { trigger: 100, key: "(evaluation)" },
  memory: { trigger: 101, key: "(memory)" },
} as const;

/** Calls of models for an execution after its end. */
type CallsAfterEnd = {
  purpose: keyof typeof callsAfterEnd;
  execution: Omit<CountedExecution, "status" | "trigger">;
  models: readonly ModelUsage[];
};

/**
 * Builds the write that adds calls of models after an execution's end to the usage of its agent, revision and UTC day of
 * start; for its condition see `countUsage`.
 */
export const countCallsAfterEnd = (
  tenantId: TenantId,
  {
    purpose,
    execution: { id, agentId, agentRevision: revision, startTime: at },
    models,
  }: CallsAfterEnd,
): TransactionWrite => {
  const counter = { agentId, revision, trigger: callsAfterEnd[purpose].trigger, id, at };
  return addToCounter(tenantId, counter, { executionCount: 0, failedCount: 0 }, { models });
};

/** Returns the cost of calls of models together, in US dollars. */
export const sumModelCosts = (models: readonly ModelUsage[]): number =>
  models.reduce((sum, { cost: { totalCost } }) => sum + totalCost, 0);

/** Key of the usage of a tenant's knowledge outside of executions. No agent's id begins with "(". */
export const knowledgeKey = "(knowledge)";

/** Builds the write that counts embeddings of documents, and of searches outside of executions, like a model's tokens. */
export const countEmbeddings: CountEmbeddings = (tenantId, used, { id, at, asOthers }) => {
  const models = used.map(({ providerId, model, tokens, cost, priced }) => ({
    providerId,
    modelId: model,
    tokens: { ...noTokens, inputTokens: tokens },
    cost: { ...noCost, inputCost: cost, totalCost: cost },
    priced,
  }));
  const counter = { agentId: knowledgeKey, revision: 0, trigger: 0, id, at };
  const usage = asOthers ? withoutModels({ models }) : { models };
  return addToCounter(tenantId, counter, { executionCount: 0, failedCount: 0 }, usage);
};

/** Key of the usage of experiments' judges. No agent's id begins with "(". */
export const experimentsKey = "(experiments)";

/** Calls of models by the scorers of an execution. `at`: its start, Unix milliseconds. */
export type ScorerCalls = { id: string; at: number; models: readonly ModelUsage[] };

/** Builds the write that counts the calls of the scorers of an experiment's run; for its condition see `countUsage`. */
export const countExperimentScorers = (
  tenantId: TenantId,
  { id, at, models }: ScorerCalls,
): TransactionWrite => {
  const counter = { agentId: experimentsKey, revision: 0, trigger: 0, id, at };
  return addToCounter(tenantId, counter, { executionCount: 0, failedCount: 0 }, { models });
};
