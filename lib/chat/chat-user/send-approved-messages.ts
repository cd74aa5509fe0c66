import type { Database } from "../../platform/db/database.ts";
import type { AnswerChatMessage } from "../../platform/queue/messages.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { chatGroup } from "../conversation/group.ts";
import { deleteApprovedMessage, listApprovedMessages } from "./approved-store.ts";

type SendDeps = { db: Database; send: Send };

/** How long the call that approved has for it: after that, it is taken for dead. */
const graceMs = 60_000;

/**
 * Has the message of an approved request answered. One that cannot be sent now is found by the next sweep, so
 * this never fails: the decision stands, and its caller has to hear so.
 */
export const sendSoon = async (deps: SendDeps, answer: AnswerChatMessage): Promise<void> => {
  try {
    await sendApproved(deps, answer);
  } catch (error) {
    log().warn("an approved message waits for the sweep", {
      accessRequest: answer.id,
      error: asError(error),
    });
  }
};

const sendApproved = async ({ db, send }: SendDeps, answer: AnswerChatMessage): Promise<void> => {
  await send("chats", chatGroup(answer), answer);
  await deleteApprovedMessage(db, answer.id);
};

/** Sends what approvals left behind that died before their message was on its queue. Safe to run twice at a time. */
export const sendApprovedMessages = async ({
  clock,
  ...deps
}: SendDeps & { clock: Clock }): Promise<void> => {
  for await (const { answer, approvedAt } of listApprovedMessages(deps.db)) {
    if (approvedAt + graceMs <= clock()) await sendSoon(deps, answer);
  }
};
