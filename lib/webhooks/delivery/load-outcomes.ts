import { readStatuses } from "../../executions/record/store.ts";
import { type ExecutionStatus, finalStatuses } from "../../executions/schemas.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { DeliveryResultItem } from "../webhook/items.ts";
import type { Delivery, DeliveryResult } from "../webhook/schemas.ts";

/**
 * Adds the outcomes of executions to results: they are read from the executions, not stored twice. A result that
 * ended without its execution loses the id.
 */
export const loadOutcomes = async <Result extends DeliveryResultItem>(
  db: Database,
  tenantId: TenantId,
  results: readonly Result[],
): Promise<Result[]> => {
  const started = results.flatMap(({ executionId, agentId }) =>
    executionId !== null && agentId !== null ? [{ tenantId, agentId, executionId }] : [],
  );
  const statuses = await readStatuses(db, started);
  return results.map((result) => {
    const status = statuses.get(result.executionId ?? "");
    if (status) return { ...result, ...toResultStatus(status) };
    return result.status === "Pending" ? result : { ...result, executionId: null };
  });
};

const toResultStatus = (status: ExecutionStatus): Pick<DeliveryResult, "status" | "error"> => {
  if (status === "Succeeded") return { status: "Succeeded", error: null };
  if (!finalStatuses.has(status)) return { status: "Pending", error: null };
  return { status: "Failed", error: `The execution ended as ${status}. Read its record.` };
};

/** Derives a delivery's status from its subscribers' results. */
export const deriveDeliveryStatus = (
  stored: Delivery["status"],
  results: readonly Pick<DeliveryResult, "status">[],
): Delivery["status"] => {
  const notified = results.filter(({ status }) => status !== "Skipped");
  const failed = notified.filter(({ status }) => status === "Failed");
  if (stored !== "Dispatched" || failed.length === 0) return stored;
  return failed.length === notified.length ? "Failed" : "PartiallyFailed";
};
