import { noCost, noTokens } from "../../engine/models/sums.ts";
import type { CountEmbeddings } from "../../knowledge/usage/embedding-usage.ts";
import { addToCounter, withoutModels } from "./count-usage.ts";

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
