import * as z from "zod";
import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import { agentConnectorKey, connectorKey, deletedConnectorKey } from "../keys.ts";
import type { ConnectorItem } from "./items.ts";

/** Tombstone of a connector, kept until its data is purged. */
const Deleted = z.object({ agentId: z.string() });
export type DeletedConnector = z.output<typeof Deleted>;

/** Replaces a connector by a tombstone; "gone" when it was deleted before. */
export const replaceConnectorByTombstone = async (
  db: Database,
  tenantId: TenantId,
  { id, agentId }: Pick<ConnectorItem, "id" | "agentId">,
): Promise<"written" | "gone"> => {
  const tombstone: DeletedConnector = { agentId };
  const outcome = await transact(db, [
    {
      Delete: {
        Key: connectorKey(tenantId, id),
        ...ifExists,
      },
    },
    { Delete: { Key: agentConnectorKey(tenantId, agentId, id) } },
    { Put: { Item: { ...deletedConnectorKey(tenantId, id), ...tombstone } } },
  ]);
  return outcome.written ? "written" : "gone";
};

/** TENANT#t / DELETED#CONNECTOR#id: the tombstone of a connector; undefined once it is purged. */
export const getDeletedConnector = (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
): Promise<DeletedConnector | undefined> =>
  getItem(db, deletedConnectorKey(tenantId, connectorId), Deleted);

/** Deletes the tombstone of a purged connector. */
export const deleteTombstone = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
): Promise<void> => {
  await deleteItem(db, { Key: deletedConnectorKey(tenantId, connectorId) });
};
