import * as z from "zod";
import { ChosenId } from "../http/ids.ts";
import { TenantId } from "../tenant/tenant-id.ts";

/** Asks for what a deleted agent left behind to be removed. Safe to repeat and to arrive late. */
export const PurgeAgentMessage = z
  .object({
    type: z.literal("purge-agent"),
    tenantId: TenantId,
    agentId: ChosenId,
  })
  .meta({
    example: {
      type: "purge-agent",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
    },
  });
export type PurgeAgentMessage = z.output<typeof PurgeAgentMessage>;
