import { noTokens } from "../../engine/models/sums.ts";
import type { ExecutionItem } from "./items.ts";
import type { ExecutionResult } from "./schemas.ts";

/** The answer about an execution that has no output yet, or none any more. */
export const toResult = (item: ExecutionItem): ExecutionResult => ({
  executionId: item.id,
  agentId: item.agentId,
  agentRevision: item.agentRevision,
  status: item.status,
  output: null,
  usage: {
    ...noTokens,
    inputTokens: item.inputTokens,
    outputTokens: item.outputTokens,
    cachedTokens: item.cachedTokens,
  },
  cost: {
    inputCost: item.inputCost,
    outputCost: item.outputCost,
    cachedCost: item.cachedCost,
    thinkingCost: item.thinkingCost,
    totalCost: item.totalCost,
  },
  startTime: item.startTime,
  endTime: item.endTime,
});
