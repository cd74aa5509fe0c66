import * as z from "zod";
import { Utterance } from "../../engine/flow/utterance.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import { ExecutionError, ExecutionRecord, ExecutionStatus } from "./schemas.ts";

/** An execution as it is stored, without what went in and came out. */
export const ExecutionItem = ExecutionRecord.extend({
  status: ExecutionStatus,
  /** US dollars of its agent's budget that are set aside for it. */
  reserved: z.number().default(0),
  /** Whether what it used is counted: of a cancelled one only when its run has stopped. Absent until then. */
  settled: z.boolean().optional(),
});
export type ExecutionItem = z.output<typeof ExecutionItem>;

/** What went into an execution: secrets masked, and sealed beside it; and the conversation that it answers in. */
export const ExecutionInputItem = z.object({
  input: PackedValue,
  secrets: SealedValue.nullable(),
  session: z.array(Utterance).optional(),
  metadata: z.record(z.string(), z.string()),
});
export type ExecutionInputItem = z.output<typeof ExecutionInputItem>;

/** What came out of an execution, and what happened on the way. */
export const ExecutionOutputItem = z.object({
  output: PackedValue,
  error: ExecutionError.nullable(),
  trace: PackedValue,
});
export type ExecutionOutputItem = z.output<typeof ExecutionOutputItem>;

/** An execution with what went in and, once it has ended, what came out. */
export type WholeExecution = {
  item: ExecutionItem;
  input: ExecutionInputItem;
  output: ExecutionOutputItem | undefined;
};
