import * as z from "zod";
import type { Outcome } from "../functions/function-call.ts";
import type { ReceivedMessage } from "./sqs-event.ts";

const Failures = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/**
 * Returns the messages of a batch to delete, by Lambda's rules for partial batch responses: all but the reported
 * failures; all for an empty or missing list; none for a malformed report, an unknown identifier or an error.
 */
export const completedMessages = (
  messages: readonly ReceivedMessage[],
  outcome: Outcome,
  reportsItemFailures: boolean,
): readonly ReceivedMessage[] => {
  if (outcome.type !== "result") return [];
  if (!reportsItemFailures) return messages;
  const returned: unknown = JSON.parse(outcome.payload);
  if (returned === null || returned === "") return messages;
  const report = Failures.safeParse(returned);
  if (!report.success) return [];
  const failed = new Set(
    (report.data.batchItemFailures ?? []).map(
      (batchItemFailure) => batchItemFailure.itemIdentifier,
    ),
  );
  const known = new Set(messages.map((message) => message.MessageId));
  if ([...failed].some((id) => !known.has(id))) return [];
  return messages.filter((message) => !failed.has(message.MessageId));
};
