import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { agentConnectorKey, connectorKey, deletedConnectorKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
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
        ConditionExpression: "attribute_exists(pk)",
      },
    },
    { Delete: { Key: agentConnectorKey(tenantId, agentId, id) } },
    { Put: { Item: { ...deletedConnectorKey(tenantId, id), ...tombstone } } },
  ]);
  return outcome.written ? "written" : "gone";
};

/** TENANT#t / DELETED#CONNECTOR#id: the tombstone of a connector; undefined once it is purged. */
export const getDeletedConnector = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
): Promise<DeletedConnector | undefined> => {
  const Key = deletedConnectorKey(tenantId, connectorId);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key, ConsistentRead: true }),
  );
  return Item && Deleted.parse(Item);
};

/** Deletes the tombstone of a purged connector. */
export const deleteTombstone = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
): Promise<void> => {
  const Key = deletedConnectorKey(tenantId, connectorId);
  await db.client.send(new DeleteCommand({ TableName: db.table, Key }));
};
