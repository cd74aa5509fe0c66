import { TenantId } from "../platform/db/tenant-id.ts";
import { ExecutionEnd, ExecutionInput, type StoredExecution } from "./items.ts";
import type { ExecutionPlace } from "./keys.ts";
import { readValue, type Storage } from "./parts.ts";

/** Returns the place of an execution. */
export const toExecutionPlace = ({
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
export const readInput = async (storage: Storage, { item, input, secrets }: StoredExecution) => ({
  input: ExecutionInput.parse(await readValue(storage, toExecutionPlace(item), input)),
  secrets: secrets ?? null,
  metadata: item.metadata ?? {},
});

/** Reads output, error and trace of an execution; undefined before its end is recorded. */
export const readEnd = async (
  storage: Storage,
  { item, result }: StoredExecution,
): Promise<ExecutionEnd | undefined> =>
  result && ExecutionEnd.parse(await readValue(storage, toExecutionPlace(item), result));
