import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { chatGroup } from "../message-group.ts";
import type { ReplyToChatMessage } from "../messages.ts";
import { deleteApprovedMessage, listApprovedMessages } from "./approved-store.ts";

type SendDeps = { db: Database; send: Send };

/** Time that the approving call has to send the message itself before the sweep does. */
const graceMs = 60_000;

/**
 * Queues the message of an approved request. Never throws, because the decision is already saved: the next sweep
 * retries a failure.
 */
export const sendSoon = async (deps: SendDeps, message: ReplyToChatMessage): Promise<void> => {
  try {
    await sendApproved(deps, message);
  } catch (error) {
    log("approved-message-not-queued", {
      accessRequest: message.id,
      error: asError(error),
    });
  }
};

const sendApproved = async ({ db, send }: SendDeps, message: ReplyToChatMessage): Promise<void> => {
  await send("chats", chatGroup(message), message);
  await deleteApprovedMessage(db, message.id);
};

/**
 * Queues approved messages after the approving call crashed before queuing them. Safe to run
 * concurrently.
 */
export const sendApprovedMessages = async ({
  clock,
  ...deps
}: SendDeps & { clock: Clock }): Promise<void> => {
  for await (const { message, approvedAt } of listApprovedMessages(deps.db)) {
    if (approvedAt + graceMs <= clock()) await sendSoon(deps, message);
  }
};
