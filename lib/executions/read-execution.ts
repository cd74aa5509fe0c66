import { TenantId } from "../platform/db/tenant-id.ts";
import { ExecutionEnd, ExecutionInput, type StoredExecution } from "./items.ts";
import type { ExecutionKey } from "./keys.ts";
import { readValue, type Storage } from "./parts.ts";

/** Returns the key of an execution. */
export const toExecutionKey = ({
  tenantId,
  agentId,
  id,
}: {
  tenantId: string;
  agentId: string;
  id: string;
}): ExecutionKey => ({ tenantId: TenantId.parse(tenantId), agentId, executionId: id });

/** Reads the input of an execution with masked secrets, the sealed secrets, and the metadata. */
export const readInput = async (storage: Storage, { item, input, secrets }: StoredExecution) => ({
  input: ExecutionInput.parse(await readValue(storage, toExecutionKey(item), input)),
  secrets: secrets ?? null,
  metadata: item.metadata ?? {},
});

/** Reads output, error and trace of an execution; undefined before its end is recorded. */
export const readEnd = async (
  storage: Storage,
  { item, result }: StoredExecution,
): Promise<ExecutionEnd | undefined> =>
  result && ExecutionEnd.parse(await readValue(storage, toExecutionKey(item), result));
