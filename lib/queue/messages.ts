import * as z from "zod";
import { ChosenId, Uuid } from "../http/ids.ts";
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

/** Asks for an execution to be begun, or gone on with. Safe to repeat and to arrive late. */
export const RunExecutionMessage = z
  .object({
    type: z.literal("run-execution"),
    tenantId: TenantId,
    agentId: ChosenId,
    executionId: Uuid,
  })
  .meta({
    example: {
      type: "run-execution",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
      executionId: "0193f0a0-7c4b-7000-8000-000000000001",
    },
  });
export type RunExecutionMessage = z.output<typeof RunExecutionMessage>;
