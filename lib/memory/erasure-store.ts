import * as z from "zod";
import { checkExists } from "../platform/db/conditions.ts";
import type { Database } from "../platform/db/database.ts";
import { getItems } from "../platform/db/get-items.ts";
import { agentKey } from "../platform/db/keys.ts";
import { tableAttributes } from "../platform/db/table.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../platform/db/transact.ts";
import { updateItem } from "../platform/db/write-item.ts";
import type { TombstoneKind } from "../platform/deletion/tombstone.ts";
import { parseUuidTime } from "../platform/runtime/runtime.ts";
import { computeTtl } from "../tenancy/tenant/retention.ts";
import { deletedPersonKey, type ErasureRef, erasedPersonKey } from "./keys.ts";
import type { PurgePersonMessage } from "./messages.ts";

/** Time after a deletion in which executions may still write that began before and did not know of it. */
const settledAfterMs = 900_000;

const PersonTombstone = z.object({
  /** When the person was deleted, Unix milliseconds. */
  at: z.int(),
  /** See `ErasedPerson`. */
  owner: z.string(),
  /** The session at which the last run of the purge ended. */
  from: z.string().optional(),
});
export type PersonTombstone = z.output<typeof PersonTombstone>;

/** TENANT#t / DELETED#PERSON#agent#person#erasure: a deleted person until nothing of them is left. */
export const personTombstones: TombstoneKind<PurgePersonMessage, PersonTombstone> = {
  type: "purge-person",
  key: deletedPersonKey,
  schema: PersonTombstone,
  busyUntil: ({ at }) => at + settledAfterMs,
};

/** Records at which session a run of a purge ended; undefined for the last one. */
export const putEnd = async (
  db: Database,
  ref: ErasureRef,
  from: string | undefined,
): Promise<void> => {
  await updateItem(db, {
    Key: deletedPersonKey(ref),
    UpdateExpression: from === undefined ? "REMOVE #from" : "SET #from = :from",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeNames: { "#from": "from" },
    ...(from !== undefined && { ExpressionAttributeValues: { ":from": from } }),
  });
};

/** Days for which facts of a deleted person's earlier executions are refused: no execution waits longer. */
const refusedDays = 400;

/** Builds the writes that refuse facts of executions which a person began until now, while the agent exists. */
export const putErasure = (
  { tenantId, agentId, person }: Omit<ErasureRef, "erasureId">,
  at: number,
): TransactionWrite[] => [
  checkExists(agentKey(tenantId, agentId)),
  {
    Put: {
      Item: {
        ...erasedPersonKey(tenantId, agentId, person),
        at,
        [tableAttributes.timeToLive]: computeTtl(at, refusedDays),
      },
    },
  },
];

/** An execution that facts are taken from, and the marks of its person. */
export type FactSource = {
  tenantId: TenantId;
  agentId: string;
  executionId: string;
  persons: readonly string[];
};

/** Builds the conditions that the person of an execution was not deleted since its begin. */
export const checkNotErased = ({
  tenantId,
  agentId,
  executionId,
  persons,
}: FactSource): TransactionWrite[] =>
  persons.map((person) => ({
    ConditionCheck: {
      Key: erasedPersonKey(tenantId, agentId, person),
      ConditionExpression: "attribute_not_exists(pk) OR #at < :begin",
      ExpressionAttributeNames: { "#at": "at" },
      ExpressionAttributeValues: { ":begin": parseUuidTime(executionId) },
    },
  }));

const Erased = z.object({ at: z.int() });

/** #MEMORIES#n / PERSON#person: returns whether the person of an execution was deleted since its begin. */
export const isPersonErased = async (
  db: Database,
  { tenantId, agentId, executionId, persons }: FactSource,
): Promise<boolean> => {
  const keys = persons.map((person) => erasedPersonKey(tenantId, agentId, person));
  const found = await getItems(db, keys, Erased);
  return found.some((erased) => erased && erased.at >= parseUuidTime(executionId));
};
