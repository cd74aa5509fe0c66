import * as z from "zod";
import type { TombstoneKind } from "../../platform/deletion/tombstone.ts";
import { deletedConnectorKey } from "../keys.ts";
import type { PurgeConnectorMessage } from "../messages.ts";

const ConnectorTombstone = z.object({ agentId: z.string() });
export type ConnectorTombstone = z.output<typeof ConnectorTombstone>;

/** TENANT#t / DELETED#CONNECTOR#id: a deleted connector that is not purged yet. */
export const connectorTombstones: TombstoneKind<PurgeConnectorMessage, ConnectorTombstone> = {
  type: "purge-connector",
  key: ({ tenantId, connectorId }) => deletedConnectorKey(tenantId, connectorId),
  schema: ConnectorTombstone,
};
