import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { chatGroup } from "../message-group.ts";
import type { AnswerChatMessage } from "../messages.ts";
import { deleteApprovedMessage, listApprovedMessages } from "./approved-store.ts";

type SendDeps = { db: Database; send: Send };

/** Time that the approving call has to send the message itself before the sweep does. */
const graceMs = 60_000;

/**
 * Queues the message of an approved request. Never throws, because the decision is already saved: the next sweep
 * retries a failure.
 */
export const sendSoon = async (deps: SendDeps, answer: AnswerChatMessage): Promise<void> => {
  try {
    await sendApproved(deps, answer);
  } catch (error) {
    log("approved-message-not-queued", {
      accessRequest: answer.id,
      error: asError(error),
    });
  }
};

const sendApproved = async ({ db, send }: SendDeps, answer: AnswerChatMessage): Promise<void> => {
  await send("chats", chatGroup(answer), answer);
  await deleteApprovedMessage(db, answer.id);
};

/**
 * Queues approved messages after the approving call crashed before queuing them. Safe to run
 * concurrently.
 */
export const sendApprovedMessages = async ({
  clock,
  ...deps
}: SendDeps & { clock: Clock }): Promise<void> => {
  for await (const { answer, approvedAt } of listApprovedMessages(deps.db)) {
    if (approvedAt + graceMs <= clock()) await sendSoon(deps, answer);
  }
};
