import * as z from "zod";
import { SealedValue } from "../../platform/db/seal.ts";
import { Connector } from "./schemas.ts";

/** Stored connector; `parameters` contain masks for credentials. */
export const ConnectorItem = Connector.omit({ agentRevision: true, webhookUrl: true }).extend({
  /** Encrypted credentials by parameter name; null for none. */
  secrets: SealedValue.nullable(),
  /** Incremented by every update. */
  version: z.int(),
  /**
   * Conversations of messages that are received from then on are in 16 partitions, Unix milliseconds; 0 for all.
   * Absent from connectors that were created before conversations were spread, until their next message.
   */
  spreadFrom: z.int().optional(),
});
export type ConnectorItem = z.output<typeof ConnectorItem>;
