import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import { connectionWaitKey, connectionWaitsList } from "../keys.ts";

const ConnectionWait = z.object({ approvalId: z.string() });

/** Builds the write that registers an approval which a consent ends. */
export const putConnectionWait = (
  tenantId: TenantId,
  { id, connectionId = "", ttl }: { id: string; connectionId?: string | undefined; ttl: number },
): TransactionWrite => ({
  Put: { Item: { ...connectionWaitKey(tenantId, connectionId, id), approvalId: id, ttl } },
});

/** TENANT#t#CONNECTIONS / WAIT#connection#…: lists the approvals that wait for a connection, and some that have ended. */
export const listConnectionWaits = (
  db: Database,
  tenantId: TenantId,
  connectionId: string,
): AsyncGenerator<{ approvalId: string }> =>
  listAll(db, ConnectionWait, connectionWaitsList(tenantId, connectionId));

/** Removes the registration of an approval that has ended. */
export const removeConnectionWait = async (
  db: Database,
  tenantId: TenantId,
  connectionId: string,
  approvalId: string,
): Promise<void> => {
  await deleteItem(db, { Key: connectionWaitKey(tenantId, connectionId, approvalId) });
};
