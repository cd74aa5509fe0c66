import { TenantId } from "../../platform/db/tenant-id.ts";
import { ExecutionEnd, ExecutionInput, type StoredExecution } from "./items.ts";
import type { ExecutionPlace } from "./keys.ts";
import { readOldEnd, readOldInput } from "./old-items.ts";
import { readValue, type Storage } from "./parts.ts";
import { finalStatuses } from "./schemas.ts";

/** Returns the place of an execution. */
export const placeOf = ({
  tenantId,
  agentId,
  id,
  shard,
}: {
  tenantId: string;
  agentId: string;
  id: string;
  shard: string;
}): ExecutionPlace => ({ tenantId: TenantId.parse(tenantId), agentId, executionId: id, shard });

/** Reads the input of an execution with masked secrets, the sealed secrets, and the metadata. */
export const readInput = async (storage: Storage, { item, input, secrets }: StoredExecution) => {
  if (input === undefined) return readOldInput(storage, placeOf(item));
  return {
    input: ExecutionInput.parse(await readValue(storage, placeOf(item), input)),
    secrets: secrets ?? null,
    metadata: item.metadata ?? {},
  };
};

/** Reads output, error and trace of an execution; undefined before its end is recorded. */
export const readEnd = async (
  storage: Storage,
  { item, input, result }: StoredExecution,
): Promise<ExecutionEnd | undefined> => {
  if (result) return ExecutionEnd.parse(await readValue(storage, placeOf(item), result));
  const isOld = input === undefined && finalStatuses.has(item.status);
  return isOld ? readOldEnd(storage, placeOf(item)) : undefined;
};
