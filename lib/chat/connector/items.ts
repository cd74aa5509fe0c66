import * as z from "zod";
import { SealedValue } from "../../platform/db/seal.ts";
import { Connector } from "./schemas.ts";

/** A connector as it is stored; `parameters` hold masks for credentials. */
export const ConnectorItem = Connector.omit({ agentRevision: true, webhookUrl: true }).extend({
  /** Where the API was when the connector was made, such as https://api.example.com/live. */
  baseUrl: z.string(),
  /** The credentials among the parameters, by name; null for none. */
  secrets: SealedValue.nullable(),
  /** Goes up by one with every change. */
  version: z.int(),
});
export type ConnectorItem = z.output<typeof ConnectorItem>;
