import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listIndex } from "../../platform/db/list-index.ts";
import { listFrom } from "../../platform/db/list-page.ts";
import { storedJson, toStoredJson } from "../../platform/db/stored-json.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { uuidRange } from "../../platform/db/uuid-range.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { Timestamp, Uuid } from "../../platform/http/ids.ts";
import type { Json } from "../../values/json/json.ts";
import { ParameterDescriptor } from "../../values/json/parameters.ts";
import { approvalKey, approvalsList, pendingApprovalsList } from "../record/keys.ts";

const { indexPartitionKey, indexSortKey } = tableAttributes;

/** Builds the write of a new approval, which is pending. */
export const putApproval = (tenantId: TenantId, item: ApprovalItem): TransactionWrite => {
  const key = approvalKey(tenantId, item.id);
  return {
    Put: {
      Item: {
        ...key,
        [indexPartitionKey]: pendingApprovalsList(tenantId).pk,
        [indexSortKey]: key.sk,
        ...item,
        data: toStoredJson(item.data),
        arguments: toStoredJson(item.arguments),
        argumentsSchema: toStoredJson(item.argumentsSchema),
      },
      ...ifNew,
    },
  };
};

/** TENANT#t#APPROVALS / APPROVAL#id: reads an approval. */
export const getApproval = (
  db: Database,
  tenantId: TenantId,
  approvalId: string,
): Promise<ApprovalItem | undefined> =>
  getItem(db, approvalKey(tenantId, approvalId), ApprovalItem);

/** Part of a list of approvals: without the first `skip`, and without those created before `since`, Unix milliseconds. */
export type ApprovalRange = { skip?: number; since?: number };

/** TENANT#t#APPROVALS / APPROVAL#…: lists a tenant's approvals, newest first. */
export const listApprovals = (
  db: Database,
  tenantId: TenantId,
  { skip = 0, since }: ApprovalRange = {},
): AsyncGenerator<ApprovalItem> => {
  const list = approvalsList(tenantId);
  const between = uuidRange(list.prefix, since, undefined);
  const request = { list, between, newestFirst: true, isIndexed: false };
  return listFrom(db, ApprovalItem, request, { skip, limit: itemsPerRead });
};

/** Items that are read together: they may be large. */
const itemsPerRead = 25;

/**
 * Index, TENANT#t#APPROVALS#PENDING: lists a tenant's pending approvals, newest first, and some that have just ended. Costs
 * no more when more have ended.
 */
export async function* listPendingApprovals(
  db: Database,
  tenantId: TenantId,
  { skip = 0, since }: ApprovalRange = {},
): AsyncGenerator<ApprovalItem> {
  const list = pendingApprovalsList(tenantId);
  const between = uuidRange(list.prefix, since, undefined);
  let left = skip;
  for await (const keys of listIndex(db, { list, between, newestFirst: true })) {
    for (let at = left; at < keys.length; at += itemsPerRead) {
      const part = keys.slice(at, at + itemsPerRead);
      for (const item of await getItems(db, part, ApprovalItem)) if (item) yield item;
    }
    left = Math.max(0, left - keys.length);
  }
}

/** Index, TENANT#t#APPROVALS#PENDING: counts the pending approvals of a tenant, at most about `max`. */
export const countPendingApprovals = async (
  db: Database,
  tenantId: TenantId,
  max: number,
): Promise<number> => {
  let count = 0;
  for await (const keys of listIndex(db, { list: pendingApprovalsList(tenantId) })) {
    count += keys.length;
    if (count >= max) break;
  }
  return count;
};

/** The end of an approval. */
export type ApprovalEnd = {
  status: Exclude<ApprovalItem["status"], "Pending">;
  /** Unix milliseconds. */
  decidedAt: number;
  /** All decisions, the deciding one last. */
  decisions?: readonly ApprovalDecision[];
};

/** Builds the write that ends an approval as it was read: pending, and with as many decisions. */
export const endApproval = (
  tenantId: TenantId,
  { id, decisions: seen }: Pick<ApprovalItem, "id" | "decisions">,
  { status, decidedAt, decisions = seen }: ApprovalEnd,
): TransactionWrite => ({
  Update: {
    Key: approvalKey(tenantId, id),
    UpdateExpression: `SET #status = :status, decidedAt = :at, decisions = :decisions REMOVE ${indexPartitionKey}, ${indexSortKey}`,
    ConditionExpression: "#status = :pending AND size(decisions) = :count",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":status": status,
      ":pending": "Pending",
      ":at": decidedAt,
      ":decisions": decisions.map(toStoredDecision),
      ":count": seen.length,
    },
  },
});

/** Adds a decision that does not end the approval; false when it has changed since it was read. */
export const addDecision = async (
  db: Database,
  tenantId: TenantId,
  { id, decisions }: Pick<ApprovalItem, "id" | "decisions">,
  decision: ApprovalDecision,
): Promise<boolean> => {
  const { written } = await updateItem(db, {
    Key: approvalKey(tenantId, id),
    UpdateExpression: "SET decisions = :decisions",
    ConditionExpression: "#status = :pending AND size(decisions) = :count",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":pending": "Pending",
      ":decisions": [...decisions, decision].map(toStoredDecision),
      ":count": decisions.length,
    },
  });
  return written;
};

const toStoredDecision = ({ fields, ...decision }: ApprovalDecision) => ({
  ...decision,
  fields: toStoredJson(fields),
});

/** Builds the update that cancels a pending approval. `now`: Unix milliseconds. */
export const buildCancelApproval = (tenantId: TenantId, id: string, now: number) => ({
  Key: approvalKey(tenantId, id),
  UpdateExpression: `SET #status = :cancelled, decidedAt = :now REMOVE ${indexPartitionKey}, ${indexSortKey}`,
  ConditionExpression: "#status = :pending",
  ExpressionAttributeNames: { "#status": "status" },
  ExpressionAttributeValues: { ":cancelled": "Cancelled", ":pending": "Pending", ":now": now },
});

const anyJson = z.custom<Json>((value) => value !== undefined);

/** Statuses of an approval. */
export const approvalStatuses = ["Pending", "Decided", "TimedOut", "Cancelled"] as const;

/** A decision of one person. */
export const ApprovalDecision = z.object({
  action: z.string(),
  fields: storedJson(z.record(z.string(), anyJson)),
  comment: z.string().nullable(),
  /** The e-mail address, or the id of a user without one; or who decided elsewhere, such as in a chat. */
  decidedBy: z.string(),
  /** Names of the person: one who decides again has one of them. */
  people: z.array(z.string()),
  /** SHA-256 of the arguments that replace those of the tool; null for none. */
  argumentsHash: z.string().nullable(),
  decidedAt: Timestamp,
});
export type ApprovalDecision = z.output<typeof ApprovalDecision>;

/** The people who may decide; all absent for the Owners and Editors of the agent. */
export const StoredApprovers = z.object({
  users: z.array(z.string()).readonly().optional(),
  roles: z
    .array(z.enum(["Owner", "Editor", "Viewer"]))
    .readonly()
    .optional(),
  emails: z.array(z.string()).readonly().optional(),
  chat: z.object({ connectorId: z.string(), conversationId: z.string() }).optional(),
});

const ExecutionName = z.object({ agentId: z.string(), executionId: z.string() });

/** A stored approval: what is asked, who may decide, and what they decided. Times in Unix milliseconds. */
export const ApprovalItem = z.object({
  id: Uuid,
  kind: z.enum(["Step", "Tool", "Authorization"]),
  agentId: z.string(),
  agentRevision: z.int(),
  /** The execution that waits. */
  executionId: z.string(),
  /** The execution that is continued: itself, or its outermost caller. */
  root: ExecutionName,
  /** Where in the run it waits. */
  path: z.string(),
  stepId: z.string(),
  title: z.string(),
  message: z.string().nullable(),
  data: storedJson(anyJson),
  fields: z.array(ParameterDescriptor),
  actions: z.array(z.object({ id: z.string(), label: z.string() })),
  toolId: z.string().nullable(),
  arguments: storedJson(z.record(z.string(), anyJson).nullable()),
  /** Hash of the tool and of the arguments before they were masked; null for a step. */
  argumentsHash: z.string().nullable(),
  /** JSON Schema of the arguments; null for a step, and where it is large. */
  argumentsSchema: storedJson(z.record(z.string(), anyJson).nullable()),
  /** The connection that needs consent, and where a person begins; absent for another kind. */
  connectionId: z.string().optional(),
  authorizeUrl: z.string().optional(),
  consent: z
    .object({
      owner: z.object({ type: z.enum(["Tenant", "EndUser", "User"]), id: z.string().optional() }),
      scopes: z.array(z.string()),
    })
    .optional(),
  approvers: StoredApprovers,
  minApprovals: z.int(),
  allowStarter: z.boolean(),
  /** Id of the user or key that started the execution, or name of the chat user; null where another trigger did. */
  starterId: z.string().nullable(),
  decisions: z.array(ApprovalDecision),
  status: z.enum(approvalStatuses),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  decidedAt: Timestamp.nullable(),
  /** Unix seconds. */
  ttl: z.int(),
});
export type ApprovalItem = z.output<typeof ApprovalItem>;
