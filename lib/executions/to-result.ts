import type { ExecutionItem } from "./items.ts";
import type { ExecutionResult } from "./schemas.ts";

/** Builds the response for an execution whose output is not available. */
export const toResult = (item: ExecutionItem): ExecutionResult => ({
  executionId: item.id,
  agentId: item.agentId,
  agentRevision: item.agentRevision,
  status: item.status,
  output: null,
  usage: {
    inputTokens: item.inputTokens,
    outputTokens: item.outputTokens,
    cachedTokens: item.cachedTokens,
    thinkingTokens: item.thinkingTokens,
  },
  cost: {
    inputCost: item.inputCost,
    outputCost: item.outputCost,
    cachedCost: item.cachedCost,
    thinkingCost: item.thinkingCost,
    totalCost: item.totalCost,
  },
  priced: item.priced,
  startTime: item.startTime,
  endTime: item.endTime,
});
