import type { Key, ListKey } from "../platform/db/keys.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";

/** Files are in 16 partitions of their tenant, by the last digit of their id. */
const filesPartition = (tenantId: TenantId, fileId: string): string =>
  `TENANT#${tenantId}#FILES#${fileId.slice(-1)}`;

export const fileKey = (tenantId: TenantId, fileId: string): Key => ({
  pk: filesPartition(tenantId, fileId),
  sk: `FILE#${fileId}`,
});

/** The use of a file by an execution, or by an agent as its avatar. */
export const fileUseKey = (
  tenantId: TenantId,
  fileId: string,
  { agentId, executionId }: { agentId: string; executionId: string | null },
): Key => ({
  pk: filesPartition(tenantId, fileId),
  sk: `USE#${fileId}#${executionId ?? "avatar"}#${agentId}`,
});

const personPrefix = (person: string): string => `PERSON#${person}#`;

/** A file that a person sent, see `toPersonMark`: by it the file is found when the person is deleted. */
export const personFileKey = (tenantId: TenantId, person: string, fileId: string): Key => ({
  pk: filesPartition(tenantId, person),
  sk: `${personPrefix(person)}${fileId}`,
});

/** The files that a person sent. */
export const personFilesList = (tenantId: TenantId, person: string): ListKey => ({
  pk: filesPartition(tenantId, person),
  prefix: personPrefix(person),
});

/** The bytes of the files that a tenant stores on a day (`2026-11-22`, UTC). */
export const storedBytesKey = (tenantId: TenantId, day: string): Key => ({
  pk: filesPartition(tenantId, "0"),
  sk: `BYTES#${day}`,
});

/** The uses of a file, by the ids of the executions. */
export const fileUsesList = (tenantId: TenantId, fileId: string): ListKey => ({
  pk: filesPartition(tenantId, fileId),
  prefix: `USE#${fileId}#`,
});
