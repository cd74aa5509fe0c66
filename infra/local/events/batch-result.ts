import * as z from "zod";
import type { Outcome } from "../functions/function-call.ts";
import type { ReceivedMessage } from "./sqs-event.ts";

const Failures = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/**
 * The messages of a batch that are done and may be deleted. A function that reports item failures keeps
 * those it names; an empty or missing list is full success, and anything that cannot be read as such a
 * report (a name that is empty or unknown, another shape) fails the whole batch, as does a throw.
 */
export const doneMessages = (
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
  const failed = new Set((report.data.batchItemFailures ?? []).map((each) => each.itemIdentifier));
  const known = new Set(messages.map((message) => message.MessageId));
  if ([...failed].some((id) => !known.has(id))) return [];
  return messages.filter((message) => !failed.has(message.MessageId));
};
