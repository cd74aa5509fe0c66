import * as z from "zod";
import { BudgetItem } from "../agents/agent/budget.ts";
import { waitKinds } from "../engine/flow/waits.ts";
import { QueuedValue } from "../platform/db/large-value.ts";
import { TenantId } from "../platform/db/tenant-id.ts";
import { ChosenId, Timestamp, Uuid } from "../platform/http/ids.ts";

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
  /** The input with masked secrets, where the record names an item that has it. */
  input: z.object({ part: z.string(), value: QueuedValue }).optional(),
  /** Id of the request that caused it, where the message has executions of several requests. */
  requestId: z.string().optional(),
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
    /** The `QueuedBatch` of its executions, which is removed after they have ended; absent for executions without one. */
    batchId: Uuid.optional(),
    /** Present where they were about to end: only what a crash has left after their ends is finished. */
    haveEnded: z.literal(true).optional(),
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
            value: { deflate: "q0YkuQJIqrVS8shUqq0FAA==" },
          },
          requestId: "0193f0a0-7c4b-7000-8000-000000000002",
        },
      ],
    },
  });
export type RunExecutionMessage = z.output<typeof RunExecutionMessage>;

/** Asks for a waiting execution to be continued at a time. Safe to repeat, and to arrive early or late. */
export const WakeExecutionMessage = z
  .object({
    type: z.literal("wake-execution"),
    tenantId: TenantId,
    /** The execution that is queued. */
    agentId: ChosenId,
    executionId: Uuid,
    /** The execution that waits: itself, or one of a sub-agent below it. */
    waitingId: Uuid,
    path: z.string(),
    /** `Timer`: its end is no answer. */
    kind: z.enum(waitKinds),
    /** The approval that it waits for. */
    approvalId: Uuid.optional(),
    /** The webhook of the event that it waits for. */
    webhookId: Uuid.optional(),
    /** Unix milliseconds. */
    at: Timestamp,
    /** Present where its wait has ended before: only its schedule is deleted. */
    isOver: z.literal(true).optional(),
  })
  .meta({
    example: {
      type: "wake-execution",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
      executionId: "0193f0a0-7c4b-7000-8000-000000000001",
      waitingId: "0193f0a0-7c4b-7000-8000-000000000001",
      path: "pause",
      kind: "Timer",
      at: 1_767_225_600_000,
    },
  });
export type WakeExecutionMessage = z.output<typeof WakeExecutionMessage>;

/** Requests the deletion of executions that were written after the purge of their agent. Safe to repeat and to deliver late. */
export const PurgeLateExecutionsMessage = z.object({
  type: z.literal("purge-late-executions"),
  tenantId: TenantId,
  agentId: ChosenId,
});
export type PurgeLateExecutionsMessage = z.output<typeof PurgeLateExecutionsMessage>;

/** Requests the purge of the turns of a deleted session. Safe to repeat and to deliver late. */
export const PurgeSessionMessage = z.object({
  type: z.literal("purge-session"),
  tenantId: TenantId,
  agentId: ChosenId,
  digest: z.string(),
  instance: Uuid,
});
export type PurgeSessionMessage = z.output<typeof PurgeSessionMessage>;

/**
 * Asks for the events that came before a wait was registered, and before dispatches know of it. Safe to repeat, and to
 * arrive early or late.
 */
export const LookBackMessage = z.object({
  type: z.literal("look-back"),
  tenantId: TenantId,
  /** The execution that is continued: the one that waits, or its outermost caller. */
  root: z.object({ agentId: ChosenId, executionId: Uuid }),
  webhookId: Uuid,
  /** The execution that waits. */
  executionId: Uuid,
  path: z.string(),
  /** Whether it is the second time, for deliveries that were being dispatched at the first. */
  isSecond: z.boolean(),
  /** A delivery that the wait matches; it ends the wait unless an earlier one does. */
  matched: Uuid.optional(),
  /** Where an earlier message has stopped: the last delivery that it looked at. */
  after: Uuid.optional(),
  /** Processor time of earlier messages, in milliseconds. */
  usedMs: z.number().optional(),
});
export type LookBackMessage = z.output<typeof LookBackMessage>;

/**
 * Asks for the reply to the chat message that started an execution: it has waited, and is about to end. Its group is the
 * execution. Safe to repeat.
 */
export const SendChatReplyMessage = z
  .object({
    type: z.literal("send-chat-reply"),
    tenantId: TenantId,
    connectorId: Uuid,
    executionId: Uuid,
  })
  .meta({
    example: {
      type: "send-chat-reply",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      connectorId: "0193f0a0-7c4b-7000-8000-000000000005",
      executionId: "0193f0a0-7c4b-7000-8000-000000000001",
    },
  });
export type SendChatReplyMessage = z.output<typeof SendChatReplyMessage>;

/** Asks for what is worth keeping of a succeeded execution's turns to be remembered. Safe to repeat and to arrive late. */
export const RememberExecutionMessage = z.object({
  type: z.literal("remember-execution"),
  tenantId: TenantId,
  agentId: ChosenId,
  executionId: Uuid,
});
export type RememberExecutionMessage = z.output<typeof RememberExecutionMessage>;

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
