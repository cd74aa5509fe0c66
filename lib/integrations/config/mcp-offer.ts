import * as z from "zod";
import { ChosenId } from "../../platform/http/ids.ts";

/** Parameters of a config's MCP server: the agents that it offers, and its tools (all by default). */
export const McpOffer = z.object({
  agents: z.array(ChosenId).max(50).nullish(),
  tools: z.array(z.string().max(256)).max(500).nullish(),
});
export type McpOffer = z.output<typeof McpOffer>;
