import * as z from "zod";
import { SealedValue } from "../../platform/db/seal.ts";
import { Connector } from "./schemas.ts";

/** Stored connector; `parameters` contain masks for credentials. */
export const ConnectorItem = Connector.omit({ agentRevision: true, webhookUrl: true }).extend({
  /** Encrypted credentials by parameter name; null for none. */
  secrets: SealedValue.nullable(),
  /** Incremented by every update. */
  version: z.int(),
});
export type ConnectorItem = z.output<typeof ConnectorItem>;
