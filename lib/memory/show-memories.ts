import { findRememberedTurns } from "../executions/read/read-spans.ts";
import type { ExecutionKey } from "../executions/record/keys.ts";
import { TraceSpan } from "../executions/schemas.ts";
import type { Database } from "../platform/db/database.ts";
import { problemType } from "../platform/http/public-address.ts";
import { getTurns } from "./turn-store.ts";

/** Adds a span for what was kept of each turn, after the execution's end. Reads nothing for a trace without memories. */
export const showMemories = async (
  db: Database,
  key: ExecutionKey,
  spans: readonly TraceSpan[],
): Promise<TraceSpan[]> => {
  const turns = findRememberedTurns(spans);
  if (turns.length === 0) return [...spans];
  const kept = await getTurns(
    db,
    key,
    turns.map(({ spanId }) => spanId),
  );
  const added = turns.flatMap(({ spanId, stepId, namespace, providerId, modelId }, at) => {
    const turn = kept[at];
    if (!turn) return [];
    const { startTime, endTime, error, usage, cost, priced, stored } = turn;
    return TraceSpan.parse({
      id: `${spanId}/memory`,
      parentId: spanId,
      stepId,
      name: "Memories of the turn",
      type: "Memory",
      startTime,
      endTime,
      status: error === null ? "Succeeded" : "Failed",
      input: { namespace },
      output: { facts: stored ?? [] },
      error:
        error === null
          ? null
          : { type: problemType("execution-failed"), detail: error, upstreamStatus: null },
      usage,
      cost,
      priced,
      modelId,
      providerId,
    });
  });
  return [...spans, ...added];
};
