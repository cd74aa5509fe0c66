import * as z from "zod";
import { ChosenId } from "../../platform/http/ids.ts";

/** What a config's parameters say of its MCP server: which agents it offers, and which tools if not all. */
export const McpOffer = z.object({
  agents: z.array(ChosenId).max(50).nullish(),
  tools: z.array(z.string().max(256)).max(500).nullish(),
});
export type McpOffer = z.output<typeof McpOffer>;
