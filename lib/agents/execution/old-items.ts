import * as z from "zod";
import { ConversationMessage } from "../../engine/flow/conversation-message.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { PackedValue, unpackValue } from "../../platform/db/large-value.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { ExecutionEnd, ExecutionInput } from "./items.ts";
import {
  type ExecutionPlace,
  executionKey,
  oldInputKey,
  oldLeaseKey,
  oldLeasesLists,
  oldOutputKey,
  ownShard,
} from "./keys.ts";
import { openIndex } from "./lease-store.ts";
import type { Storage } from "./parts.ts";
import { ExecutionError } from "./schemas.ts";

/*
 * Items of executions that were started before 2026-11-22: their record has neither input nor result nor lease,
 * which are items of their own. A lease is moved onto its record when the execution is continued.
 */

const OldInput = z.object({
  input: PackedValue,
  secrets: SealedValue.nullable(),
  session: z.array(ConversationMessage).optional(),
  metadata: z.record(z.string(), z.string()),
});

/** TENANT#t#EXEC#id / INPUT: reads the input of an old execution, its secrets and metadata. */
export const readOldInput = async (
  { db, objects }: Storage,
  { tenantId, executionId }: ExecutionPlace,
) => {
  const item = await getItem(db, oldInputKey(tenantId, executionId), OldInput);
  if (!item) throw new Error(`the input of execution ${executionId} is missing`);
  const { secrets, session, metadata } = item;
  const input = await unpackValue(item.input, objects);
  return { input: ExecutionInput.parse({ input, session }), secrets, metadata };
};

const OldEnd = z.object({
  output: PackedValue,
  error: ExecutionError.nullable(),
  trace: PackedValue,
});

/** TENANT#t#EXEC#id / OUTPUT: reads output, error and trace of an old execution; undefined when it has none. */
export const readOldEnd = async (
  { db, objects }: Storage,
  { tenantId, executionId }: ExecutionPlace,
): Promise<ExecutionEnd | undefined> => {
  const item = await getItem(db, oldOutputKey(tenantId, executionId), OldEnd);
  if (!item) return undefined;
  const [output, trace] = await Promise.all(
    [item.output, item.trace].map((value) => unpackValue(value, objects)),
  );
  return ExecutionEnd.parse({ output, error: item.error, trace });
};

const OldLease = z.object({
  tenantId: TenantId,
  agentId: z.string(),
  executionId: z.string(),
  owner: z.string().nullable(),
  leaseUntil: z.int(),
  endsBy: z.int().optional(),
  limitMs: z.int().optional(),
  claims: z.int(),
  sends: z.int(),
});
export type OldLease = z.output<typeof OldLease>;

/** OPEN#…: lists the leases that are not on their record yet. */
export const listOldLeases = async (db: Database): Promise<OldLease[]> =>
  (
    await Promise.all(oldLeasesLists.map((list) => Array.fromAsync(listAll(db, OldLease, list))))
  ).flat();

/** OPEN#shard / EXEC#id: reads a lease that is not on its record. */
export const getOldLease = (db: Database, executionId: string): Promise<OldLease | undefined> =>
  getItem(db, oldLeaseKey(executionId), OldLease);

/**
 * Moves a lease onto its record, unless the run that holds it is alive or it was moved. Deletes a lease without
 * a record, whose agent was deleted.
 */
export const moveOldLease = async (db: Database, lease: OldLease, now: number): Promise<void> => {
  const { tenantId, agentId, executionId, owner, leaseUntil, ...rest } = lease;
  if (owner !== null && leaseUntil >= now) return;
  const { endsBy, limitMs, sends } = rest;
  // Its caller may have run it, which did not count as a claim.
  const claims = rest.claims + 1;
  const index = openIndex(executionId);
  const members = Object.entries({ leaseUntil, endsBy, limitMs, claims, sends, ...index });
  const stored = members.filter(([, value]) => value !== undefined);
  const outcome = await transact(db, [
    {
      Delete: {
        Key: oldLeaseKey(executionId),
        ConditionExpression: "leaseUntil = :seen",
        ExpressionAttributeValues: { ":seen": leaseUntil },
      },
    },
    {
      Update: {
        Key: executionKey({ tenantId, agentId, executionId, shard: ownShard }),
        UpdateExpression: `SET ${stored.map(([name]) => `${name} = :${name}`).join(", ")}`,
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeValues: Object.fromEntries(
          stored.map(([name, value]) => [`:${name}`, value]),
        ),
      },
    },
  ]);
  if (!outcome.written && outcome.failed[1] && !outcome.failed[0]) {
    await deleteTogether(db, [oldLeaseKey(executionId)]);
  }
};

/** Marks an old lease as cancelled, so that a run of an earlier release stops. */
export const cancelOldLease = async (db: Database, executionId: string): Promise<void> => {
  await updateItem(db, {
    Key: oldLeaseKey(executionId),
    UpdateExpression: "SET cancelled = :cancelled",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":cancelled": true },
  });
};
