import { checkExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { agentKey, listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { agentConnectorKey, agentConnectorsList, connectorKey } from "../keys.ts";
import { ConnectorItem } from "./items.ts";

/** Maximum connectors per agent. */
export const maxConnectors = 100;

/** TENANT#t / CONNECTOR#id: one connector, of any agent. */
export const getConnector = (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
): Promise<ConnectorItem | undefined> =>
  getItem(db, connectorKey(tenantId, connectorId), ConnectorItem);

/** TENANT#t / CONNECTOR#id: the existing ones of these connectors. */
export const getConnectors = async (
  db: Database,
  tenantId: TenantId,
  connectorIds: readonly string[],
): Promise<ConnectorItem[]> => {
  const keys = connectorIds.map((id) => connectorKey(tenantId, id));
  return (await getItems(db, keys, ConnectorItem)).filter((connector) => connector !== undefined);
};

/** TENANT#t#AGENT#a / CONNECTOR#…: an agent's connectors, oldest first. */
export const listConnectors = (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  page: PageRequest,
) => listPage(db, ConnectorItem, { list: agentConnectorsList(tenantId, agentId) }, page);

/** Writes a new connector under its id and its agent; "gone" when the agent does not exist. */
export const putNewConnector = async (
  db: Database,
  tenantId: TenantId,
  item: ConnectorItem,
): Promise<"written" | "gone"> => {
  const outcome = await transact(db, [
    { Put: { Item: { ...connectorKey(tenantId, item.id), ...item } } },
    { Put: { Item: ofAgent(tenantId, item) } },
    checkExists(agentKey(tenantId, item.agentId)),
  ]);
  return outcome.written ? "written" : "gone";
};

/** Returns whether an agent has reached its connector limit. Concurrent creates may exceed it slightly. */
export const hasMostConnectors = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
): Promise<boolean> => {
  const beyond = { size: 1, skip: maxConnectors - 1 };
  return (await listConnectors(db, tenantId, agentId, beyond)).items.length > 0;
};

/** Replaces the version of a connector that was read; "changed" when it changed since. */
export const replaceConnector = async (
  db: Database,
  tenantId: TenantId,
  before: ConnectorItem,
): Promise<"written" | "changed"> => {
  const item = { ...before, version: before.version + 1 };
  const outcome = await transact(db, [
    {
      Put: {
        Item: { ...connectorKey(tenantId, item.id), ...item },
        ConditionExpression: "version = :version",
        ExpressionAttributeValues: { ":version": before.version },
      },
    },
    { Put: { Item: ofAgent(tenantId, item) } },
  ]);
  return outcome.written ? "written" : "changed";
};

/** Deletes a connector by id, leaving its entry in the agent's list. */
export const deleteConnectorById = async (
  db: Database,
  tenantId: TenantId,
  connectorId: string,
): Promise<void> => {
  await deleteItem(db, { Key: connectorKey(tenantId, connectorId) });
};

/** Transaction condition: the connector exists. */
export const whileConnectorExists = (tenantId: TenantId, connectorId: string): TransactionWrite =>
  checkExists(connectorKey(tenantId, connectorId));

const ofAgent = (tenantId: TenantId, item: ConnectorItem) => ({
  ...listed(agentConnectorKey(tenantId, item.agentId, item.id)),
  ...item,
});
