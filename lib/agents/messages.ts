import * as z from "zod";
import { TenantId } from "../platform/db/tenant-id.ts";
import { ChosenId, Timestamp, Uuid } from "../platform/http/ids.ts";
import { BudgetItem } from "./agent/budget.ts";

/** Asks for what a deleted agent left behind to be removed. Safe to repeat and to arrive late. */
export const PurgeAgentMessage = z.object({
  type: z.literal("purge-agent"),
  tenantId: TenantId,
  agentId: ChosenId,
});
export type PurgeAgentMessage = z.output<typeof PurgeAgentMessage>;

/** An execution of a message's tenant, with what its run would otherwise read. */
const ExecutionRun = z.object({
  agentId: ChosenId,
  executionId: Uuid,
  /** The agent as it was when the execution started, at `readAt`. */
  agent: z
    .object({
      createdAt: Timestamp,
      budget: BudgetItem.nullable(),
      readAt: Timestamp,
      /** Part of its executions that is scored in the background; absent for none. */
      sampleRate: z.number().optional(),
    })
    .optional(),
  /** The input with masked secrets, compressed, where the record names an item that has it. */
  input: z
    .object({
      part: z.string(),
      format: z.enum(["json", "gzip", "brotli", "deflate"]),
      base64: z.base64(),
    })
    .optional(),
});
export type ExecutionRun = z.output<typeof ExecutionRun>;

/** Maximum executions in one message. */
export const maxRunsPerMessage = 10;

/** Asks for executions of one tenant to be started or continued. Safe to repeat and to arrive late. */
export const RunExecutionMessage = z
  .object({
    type: z.literal("run-execution"),
    tenantId: TenantId,
    runs: z.array(ExecutionRun).min(1).max(maxRunsPerMessage),
  })
  .meta({
    example: {
      type: "run-execution",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      runs: [
        {
          agentId: "hello",
          executionId: "0193f0a0-7c4b-7000-8000-000000000001",
          agent: {
            createdAt: 1_767_225_600_000,
            budget: null,
            readAt: 1_767_312_000_000,
            sampleRate: 0.1,
          },
          input: {
            part: "INPUT#Ta59mGWM_wWPUn9t",
            format: "json",
            base64: "eyJpbnB1dCI6eyJwcm9tcHQiOiJIaSJ9fQ==",
          },
        },
      ],
    },
  });
export type RunExecutionMessage = z.output<typeof RunExecutionMessage>;

/** Asks for a succeeded execution of an online evaluation's sample to be scored. Safe to repeat and to arrive late. */
export const EvaluateExecutionMessage = z
  .object({
    type: z.literal("evaluate-execution"),
    tenantId: TenantId,
    agentId: ChosenId,
    executionId: Uuid,
  })
  .meta({
    example: {
      type: "evaluate-execution",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
      executionId: "0193f0a0-7c4b-7000-8000-000000000001",
    },
  });
export type EvaluateExecutionMessage = z.output<typeof EvaluateExecutionMessage>;

/** Asks for an agent's schedules to be made what its deployed revision says. Safe to repeat and to arrive late. */
export const SyncSchedulesMessage = z.object({
  type: z.literal("sync-schedules"),
  tenantId: TenantId,
  agentId: ChosenId,
});
export type SyncSchedulesMessage = z.output<typeof SyncSchedulesMessage>;

/** A job policy is due, by the times that it was given. Safe to repeat, and to arrive when it is not deployed any more. */
export const RunScheduleMessage = z.object({
  type: z.literal("run-schedule"),
  tenantId: TenantId,
  agentId: ChosenId,
  policyId: Uuid,
  expression: z.string(),
  timeZone: z.string(),
  /** ISO 8601, as EventBridge Scheduler writes it. */
  scheduledTime: z.iso.datetime(),
});
export type RunScheduleMessage = z.output<typeof RunScheduleMessage>;

/** A message of the queue for schedules. */
export const ScheduleMessage = z
  .discriminatedUnion("type", [SyncSchedulesMessage, RunScheduleMessage])
  .meta({
    example: {
      type: "sync-schedules",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
    },
  });
