import { StepError } from "../../engine/step-error.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import { countPendingApprovals } from "../approvals/approval-store.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { toExecutionKey } from "../record/keys.ts";
import type { ReachedWait } from "./open-waits.ts";

const dayMs = 86_400_000;
/** The approval of a tool call expires this long before the record of its execution. */
const marginMs = 3_600_000;
/** Maximum pending approvals of a tenant. */
const maxPending = 10_000;

/**
 * Limits the waits that an execution is about to begin. The approvals of tool calls expire before its record does. Throws a
 * StepError where another wait is longer than that, or the tenant has too many pending approvals.
 * @param input `others`: when the waits below it end, Unix milliseconds
 */
export const limitWaits = async (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  {
    item,
    waits,
    others,
  }: { item: Job["item"]; waits: readonly ReachedWait[]; others: readonly number[] },
): Promise<ReachedWait[]> => {
  const { tenantId } = toExecutionKey(item);
  const now = runtime.clock();
  const asked = waits.filter(({ requested }) => requested?.approval).length;
  const [{ executionDays }, pending] = await Promise.all([
    findRetention(db, tenantId, now),
    asked > 0 ? countPendingApprovals(db, tenantId, maxPending) : 0,
  ]);
  if (asked + pending > maxPending) {
    const detail = `The tenant has ${pending} pending approvals; at most ${maxPending} are allowed.`;
    throw new StepError("conflict", detail);
  }
  const expiry = item.startTime + executionDays * dayMs;
  const latest = Math.max(now, expiry - marginMs);
  const limited = waits.map((wait) =>
    wait.requested?.approval?.kind === "Tool"
      ? { ...wait, until: Math.min(wait.until, latest) }
      : wait,
  );
  if (Math.max(...limited.map(({ until }) => until), ...others) < expiry) return limited;
  const detail = `The wait is longer than the tenant keeps executions: ${executionDays} days.`;
  throw new StepError("execution-failed", detail);
};
