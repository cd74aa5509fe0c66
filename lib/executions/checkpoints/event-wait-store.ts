import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { storedJson, toStoredJson } from "../../platform/db/stored-json.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import type { JsonObject } from "../../values/json/json.ts";
import { eventWaitKey, eventWaitsList } from "../record/keys.ts";

/** A registered wait for an event of a webhook. Times in Unix milliseconds. */
export const EventWait = z.object({
  webhookId: z.string(),
  /** The execution that waits. */
  executionId: z.string(),
  path: z.string(),
  /** The execution that is continued: the same, or its outermost caller. */
  root: z.object({ agentId: z.string(), executionId: z.string() }),
  /** Null for all. */
  eventTypes: z.array(z.string()).nullable(),
  /** A template that is true for the event; null for any event. */
  match: z.string().nullable(),
  /** Values of the execution that the template sees; secrets are masked. */
  scope: storedJson(z.custom<JsonObject>()),
  /** Events that were received from then on, and before `until`. */
  from: z.int(),
  until: z.int(),
  registeredAt: z.int(),
  /** Unix seconds. */
  ttl: z.int(),
});
export type EventWait = z.output<typeof EventWait>;

/** Identifies a registered wait. */
export type EventWaitRef = Pick<EventWait, "webhookId" | "executionId" | "path">;

/** Builds the write that registers a wait. */
export const putEventWait = (tenantId: TenantId, wait: EventWait): TransactionWrite => ({
  Put: {
    Item: {
      ...eventWaitKey(tenantId, wait.webhookId, wait),
      ...wait,
      scope: toStoredJson(wait.scope),
    },
  },
});

/** Builds the write that removes a wait which ends. */
export const endEventWait = (
  tenantId: TenantId,
  { webhookId, ...wait }: EventWaitRef,
): TransactionWrite => ({ Delete: { Key: eventWaitKey(tenantId, webhookId, wait) } });

/** Removes a wait of an ended execution. */
export const removeEventWait = async (
  db: Database,
  tenantId: TenantId,
  { webhookId, ...wait }: EventWaitRef,
): Promise<void> => {
  await deleteItem(db, { Key: eventWaitKey(tenantId, webhookId, wait) });
};

/** TENANT#t#WEBHOOK#w#WAITS / EXEC#e#path: reads a wait; undefined before it is registered, and after its end. */
export const getEventWait = (
  db: Database,
  tenantId: TenantId,
  { webhookId, ...wait }: EventWaitRef,
): Promise<EventWait | undefined> =>
  getItem(db, eventWaitKey(tenantId, webhookId, wait), EventWait);

/** Place of a wait in the list of its webhook. */
export type EventWaitPlace = Pick<EventWait, "executionId" | "path">;

/**
 * TENANT#t#WEBHOOK#w#WAITS: lists `limit` waits for events of a webhook, from a place on. `next`: the one after them;
 * undefined for none.
 */
export const listEventWaits = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  { from, limit }: { from: EventWaitPlace | undefined; limit: number },
): Promise<{ waits: EventWait[]; next: EventWaitPlace | undefined }> => {
  const list = eventWaitsList(tenantId, webhookId);
  const between = from && {
    from: eventWaitKey(tenantId, webhookId, from).sk,
    to: `${list.prefix}~`,
  };
  const request = { list, isIndexed: false, ...(between && { between }) };
  const { items } = await listPage(db, EventWait, request, { skip: 0, size: limit + 1 });
  return { waits: items.slice(0, limit), next: items[limit] };
};
