import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { agentConnectorKey, connectorKey, deletedConnectorKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import type { ConnectorItem } from "./items.ts";

/** What is known of a deleted connector until all that it left behind is gone. */
const Deleted = z.object({ agentId: z.string() });
export type DeletedConnector = z.output<typeof Deleted>;

/** Replaces a connector by the mark of its deletion: its address answers 404 from then on. "gone" when it was before. */
export const replaceConnectorByMark = async (
  db: Database,
  tenantId: TenantId,
  { id, agentId }: Pick<ConnectorItem, "id" | "agentId">,
): Promise<"written" | "gone"> => {
  const mark: DeletedConnector = { agentId };
  const outcome = await transact(db, [
    {
      Delete: {
        Key: connectorKey(tenantId, id),
        ConditionExpression: "attribute_exists(pk)",
      },
    },
    { Delete: { Key: agentConnectorKey(tenantId, agentId, id) } },
    { Put: { Item: { ...deletedConnectorKey(tenantId, id), ...mark } } },
  ]);
  return outcome.written ? "written" : "gone";
};

/** TENANT#t / DELETED#CONNECTOR#id: the mark of a deleted connector; undefined when nothing of it is left. */
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

/** Removes the mark: nothing of the connector is left. */
export const removeMark = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
): Promise<void> => {
  const Key = deletedConnectorKey(tenantId, connectorId);
  await db.client.send(new DeleteCommand({ TableName: db.table, Key }));
};
