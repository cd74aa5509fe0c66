import { createHash } from "node:crypto";
import type { ExecutionDeps } from "../../executions/job/job.ts";
import { collectCitations } from "../../executions/read/read-spans.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { log } from "../../platform/runtime/log.ts";
import { parseUuidTime, uuidAt } from "../../platform/runtime/runtime.ts";
import { formatValue } from "../../values/json/json.ts";
import type { ReplySources } from "../../vendors/chat-provider.ts";
import { authorizeMessage, type MessageDecision } from "../chat-user/authorize-message.ts";
import { deriveChatUserId } from "../chat-user/id.ts";
import { getChatUser } from "../chat-user/user-store.ts";
import { findOpenConnector } from "../connector/find-open-connector.ts";
import type { ConnectorItem } from "../connector/items.ts";

import type { ReplyToChatMessage } from "../messages.ts";
import { type AttachmentNotice, withNotice } from "./attachment-notice.ts";
import { toConversationKey } from "./conversation-key.ts";
import { removeRefusedAttachments } from "./remove-attachments.ts";
import {
  type ChatReplyItem,
  claimReply,
  finishReply,
  type PlacedMessage,
  saveNotice,
  saveSentParts,
} from "./reply-store.ts";
import { type ChatRunResult, runAgent } from "./run-agent.ts";
import { selectSources } from "./select-sources.ts";
import { type ReplyDeps, sendReply } from "./send-reply.ts";
import { putWaitingMessage, removeWaitingMessage } from "./waiting-store.ts";

/** Dependencies of replies to chat messages. */
export type ChatReplyDeps = ExecutionDeps & { outgoing: OutgoingOptions };

/** Reply when the agent could not run or failed; reveals no reason. */
export const apology = "Sorry, something went wrong. Please try again later.";

/** Time reserved for sending the reply and then storing that it was sent. */
const replyMs = 60_000;
const storingMs = 5_000;
/** A connector is read again before the reply when it was read longer ago, since it may have been closed. */
const currentMs = 5_000;

/**
 * Replies to a chat message: authorizes its user, runs the agent and sends the reply. Idempotent:
 * the agent runs once, and a sent part is not repeated unless the function crashes before saving
 * it.
 * @param input `deadline`: when the function times out, Unix milliseconds
 */
export const replyToMessage = async (
  deps: ChatReplyDeps,
  { message, deadline }: { message: ReplyToChatMessage; deadline: number },
): Promise<void> => {
  const { db, runtime } = deps;
  const connector = await findOpenConnector(db, message.tenantId, message.connectorId);
  const executionId = deriveExecutionId(message);
  if (!connector) return removeRefusedAttachments(deps, { message, executionId });
  const readAt = runtime.clock();
  const placed = { message, place: toConversationKey(message) };
  const decision = await authorizeUser(deps, connector, placed, deadline);
  if (decision.outcome !== "run") {
    if (!decision.isKept) await removeRefusedAttachments(deps, { message, executionId });
    return;
  }
  const reply = await claimReply(db, placed, runtime.clock());
  if (!reply || reply.isDone) return;
  let { notice } = reply;
  const onNotice = async (found: AttachmentNotice) => {
    notice = found;
    await saveNotice(db, placed, found);
  };
  const run = { connector, placed, until: deadline - replyMs, onNotice };
  const result = await runToEnd(deps, { run, isRepeated: !reply.isNew });
  if (result === "gone" || result === "waiting") return;
  if (typeof result === "object" && "refused" in result) {
    log("chat-run-refused", {
      connectorId: connector.id,
      messageId: message.id,
      reason: result.refused,
    });
  }
  const end = typeof result === "object" && "end" in result ? result.end : undefined;
  const hasOutput = end?.item.status === "Succeeded";
  const output = hasOutput ? formatValue(end.output ?? undefined) : apology;
  const text = notice?.isReply ? notice.text : withNotice(output, notice);
  const isCurrent = runtime.clock() - readAt < currentMs;
  const current = isCurrent
    ? connector
    : await findOpenConnector(db, message.tenantId, message.connectorId);
  if (!current) return;
  const sources = hasOutput ? selectSources(output, collectCitations(end.trace)) : undefined;
  await sendRemaining(deps, current, placed, {
    ...{ text, reply, deadline, sources },
    executionId: hasOutput ? executionId : undefined,
  });
  await finishReply(db, placed);
};

/**
 * Runs the agent until its execution ends. One that waits is left, and `sendDueReply` replies: "waiting". One that was
 * continued before its message was stored is not left.
 */
const runToEnd = async (
  deps: ChatReplyDeps,
  {
    run,
    isRepeated,
  }: {
    run: Pick<Parameters<typeof runAgent>[1], "connector" | "placed" | "until" | "onNotice">;
    isRepeated: boolean;
  },
): Promise<ChatRunResult> => {
  const { message } = run.placed;
  const executionId = deriveExecutionId(message);
  const result = await runAgent(deps, { ...run, executionId, isRepeated });
  if (result !== "waiting") return result;
  await putWaitingMessage(deps.db, message, executionId, deps.runtime.clock());
  const continued = await runAgent(deps, { ...run, executionId, isRepeated: true });
  if (continued === "waiting") return continued;
  const isOwn = await removeWaitingMessage(deps.db, message, executionId);
  return isOwn ? continued : "waiting";
};

/** Derives the execution id from the message, so that redeliveries run the agent once. */
const deriveExecutionId = ({ id }: ReplyToChatMessage): string =>
  uuidAt(parseUuidTime(id), createHash("sha256").update(`reply/${id}`).digest());

/** Decides whether the agent may run; sends the onboarding message to a user who is not approved. */
const authorizeUser = async (
  deps: ChatReplyDeps,
  connector: ConnectorItem,
  { message, place }: PlacedMessage,
  deadline: number,
): Promise<MessageDecision> => {
  const { tenantId: id, organizationId } = message;
  if (message.admitted) {
    const userId = deriveChatUserId(connector.id, message.message.user.id);
    const user = await getChatUser(deps.db, id, connector.agentId, userId);
    return user?.status === "Active" ? { outcome: "run" } : { outcome: "ignore", isKept: false };
  }
  const decision = await authorizeMessage(deps, {
    tenant: { id, organizationId },
    connector,
    message: message.message,
  });
  if (decision.outcome === "onboard" && decision.text !== null) {
    await onboard(deps, connector, { message, place }, { text: decision.text, deadline });
  }
  return decision;
};

/** Sends the onboarding message; its progress is stored separately from the later reply's. */
const onboard = async (
  deps: ChatReplyDeps,
  connector: ConnectorItem,
  { message, place }: PlacedMessage,
  { text, deadline }: { text: string; deadline: number },
): Promise<void> => {
  const repetition = `${message.message.repetition ?? ""}/onboarding`;
  const welcome = { message: { ...message, message: { ...message.message, repetition } }, place };
  const reply = await claimReply(deps.db, welcome, deps.runtime.clock());
  if (!reply || reply.isDone) return;
  await sendRemaining(deps, connector, welcome, { text, reply, deadline });
  await finishReply(deps.db, welcome);
};

/** Sends the parts of a reply that were not sent yet. */
const sendRemaining = async (
  deps: ChatReplyDeps,
  connector: ConnectorItem,
  placed: PlacedMessage,
  {
    text,
    reply,
    deadline,
    executionId,
    sources,
  }: {
    text: string;
    reply: ChatReplyItem;
    deadline: number;
    executionId?: string | undefined;
    sources?: ReplySources | undefined;
  },
): Promise<void> => {
  if (text.trim() === "") return;
  await sendReply(replyDeps(deps), {
    connector,
    message: placed.message,
    text,
    from: reply.sentParts,
    executionId,
    sources,
    onPart: (sent) => saveSentParts(deps.db, placed, sent),
    until: deadline - storingMs,
  });
};

const replyDeps = ({ sealer, outgoing, runtime, sleep }: ChatReplyDeps): ReplyDeps => ({
  sealer,
  outgoing,
  clock: runtime.clock,
  sleep: (ms) => sleep(ms, new AbortController().signal),
});
