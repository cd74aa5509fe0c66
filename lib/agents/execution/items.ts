import * as z from "zod";
import { ConversationMessage } from "../../engine/flow/conversation-message.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import { ExecutionError, ExecutionRecord } from "./schemas.ts";

/** Stored representation of an execution, without input and output. */
export const ExecutionItem = ExecutionRecord.extend({
  /** Absent from executions that ended before it was stored. */
  errorType: z.string().nullable().default(null),
  metadata: z.record(z.string(), z.string()).optional(),
  /** US dollars of the agent's budget reserved for it. */
  reserved: z.number().default(0),
  /** Whether its usage is counted; for a cancelled one only after its run stopped. Absent until then. */
  settled: z.boolean().optional(),
});
export type ExecutionItem = z.output<typeof ExecutionItem>;

/** Stored input of an execution: secrets masked, and sealed separately; and its conversation. */
export const ExecutionInputItem = z.object({
  input: PackedValue,
  secrets: SealedValue.nullable(),
  session: z.array(ConversationMessage).optional(),
  metadata: z.record(z.string(), z.string()),
});
export type ExecutionInputItem = z.output<typeof ExecutionInputItem>;

/** Stored output, error and trace of an execution. */
export const ExecutionOutputItem = z.object({
  output: PackedValue,
  error: ExecutionError.nullable(),
  trace: PackedValue,
});
export type ExecutionOutputItem = z.output<typeof ExecutionOutputItem>;

/** An execution with its input and, once it has ended, its output. */
export type WholeExecution = {
  item: ExecutionItem;
  input: ExecutionInputItem;
  output: ExecutionOutputItem | undefined;
};
