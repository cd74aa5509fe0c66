import { type ExecutionStatus, finalStatuses } from "../../agents/execution/schemas.ts";
import { readStatuses } from "../../agents/execution/store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { DeliveryResultItem } from "../webhook/items.ts";
import type { Delivery, DeliveryResult } from "../webhook/schemas.ts";

/**
 * Results with what has become of the executions that they began: an execution is recorded where it runs,
 * so its end is not written a second time, but read.
 */
export const tellOutcomes = async <Result extends DeliveryResultItem>(
  db: Database,
  tenantId: TenantId,
  results: readonly Result[],
): Promise<Result[]> => {
  const begun = results.flatMap(({ executionId, agentId }) =>
    executionId !== null && agentId !== null ? [{ agentId, executionId }] : [],
  );
  const statuses = await readStatuses(db, tenantId, begun);
  return results.map((result) => {
    const status = statuses.get(result.executionId ?? "");
    return status ? { ...result, ...outcomeOf(status) } : result;
  });
};

const outcomeOf = (status: ExecutionStatus): Pick<DeliveryResult, "status" | "error"> => {
  if (status === "Succeeded") return { status: "Succeeded", error: null };
  if (!finalStatuses.has(status)) return { status: "Pending", error: null };
  return { status: "Failed", error: `The execution ended as ${status}. Read its record.` };
};

/** Where a delivery stands, by its subscribers' results. */
export const statusOf = (
  stored: Delivery["status"],
  results: readonly Pick<DeliveryResult, "status">[],
): Delivery["status"] => {
  const told = results.filter(({ status }) => status !== "Skipped");
  const failed = told.filter(({ status }) => status === "Failed");
  if (stored !== "Dispatched" || failed.length === 0) return stored;
  return failed.length === told.length ? "Failed" : "PartiallyFailed";
};
