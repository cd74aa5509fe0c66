import type { BatchCall } from "../../edge/consumer.ts";
import { runTogether, type UnwrittenRun } from "../../executions/run/run-together.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { reservedMs } from "./evaluate-deliveries.ts";
import type { DispatchDeps } from "./received-delivery.ts";
import type { AgentStarts } from "./start-agents.ts";

/** Time of an execution that runs in the call of its delivery, in milliseconds; those of one tenant run concurrently. */
const maxRunMs = 500;

/**
 * Runs the agents of a tenant's deliveries that only compute, and records their executions with their ends. Returns what is left
 * to be started, in the order of the deliveries.
 */
export const runAgents = async (
  deps: DispatchDeps,
  {
    tenantId,
    starts,
    call: { deadline, inTurn },
  }: {
    tenantId: TenantId;
    starts: readonly AgentStarts[];
    call: Pick<BatchCall, "deadline" | "inTurn">;
  },
): Promise<AgentStarts[]> => {
  const runs = starts.flatMap(({ evaluated, requestId }) =>
    evaluated.flatMap(({ outcome }): UnwrittenRun[] =>
      outcome !== "open" && "plan" in outcome ? [{ plan: outcome.plan, requestId }] : [],
    ),
  );
  const limitMs = Math.min(maxRunMs, deadline - reservedMs - deps.runtime.clock());
  const ended = await runTogether(deps, { tenantId, runs, limitMs, inTurn });
  return starts.map((start) => ({
    ...start,
    evaluated: start.evaluated.filter(
      ({ outcome }) => outcome === "open" || !("plan" in outcome) || !ended.has(outcome.plan),
    ),
  }));
};
