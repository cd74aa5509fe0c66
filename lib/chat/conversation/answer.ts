import { createHash } from "node:crypto";
import type { ExecutionDeps } from "../../agents/execution/context.ts";
import { textOf } from "../../json/json.ts";
import type { Database } from "../../platform/db/database.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import type { AnswerChatMessage } from "../../platform/queue/messages.ts";
import { log } from "../../platform/runtime/log.ts";
import { timeOfUuid, uuidAt } from "../../platform/runtime/runtime.ts";
import { admitMessage } from "../chat-user/admit-message.ts";
import { chatUserIdOf } from "../chat-user/id.ts";
import { getChatUser } from "../chat-user/user-store.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { getConnector } from "../connector/store.ts";
import { beginAnswer, type ChatAnswerItem, finishAnswer, noteSentParts } from "./answer-store.ts";
import { runAgent } from "./run-agent.ts";
import { type SayDeps, say } from "./say.ts";
import { putTurn } from "./turn-store.ts";

/** What answering chat messages needs. */
export type AnswerDeps = ExecutionDeps & { outgoing: OutgoingOptions };

/** What a chat user hears when the agent could not be run, or failed: nothing of why. */
export const apology = "Sorry, something went wrong. Please try again later.";

/** Kept back for the answer itself. */
const replyMs = 60_000;
const lastMs = 5_000;

/**
 * Answers a chat message: lets its user in or not, runs the agent, sends the answer. Safe to repeat: the
 * agent is run once, and an answer that was sent is not sent again, unless this function died between the
 * provider's yes and the note of it.
 * @param deadline when the function will be cut off, Unix milliseconds
 */
export const answerMessage = async (
  deps: AnswerDeps,
  message: AnswerChatMessage,
  deadline: number,
): Promise<void> => {
  const { db, runtime } = deps;
  const connector = await findOpenConnector(db, message);
  if (!connector) return;
  if (!(await admit(deps, connector, message, deadline))) return;
  const answer = await beginAnswer(db, message, runtime.clock());
  if (!answer || answer.isDone) return;
  const ran = await runAgent(deps, connector, message, {
    executionId: executionIdOf(message),
    until: deadline - replyMs,
  });
  if (ran === "gone") return;
  if ("refused" in ran) {
    log().warn("agent was not run for a chat message", {
      connectorId: connector.id,
      messageId: message.id,
      reason: ran.refused,
    });
  }
  const isAnswer = "end" in ran && ran.end.status === "Succeeded";
  const text = isAnswer ? textOf(ran.end.output ?? undefined) : apology;
  const present = await findOpenConnector(db, message);
  if (!present) return;
  await sayOn(deps, present, message, { text, answer, deadline });
  const isKept = isAnswer && ran.usesSession;
  const turn = isKept ? putTurn(message, text, runtime.clock()) : undefined;
  await finishAnswer(db, message, turn);
};

/** The connector as it is now; undefined when nothing is to be said through it. */
const findOpenConnector = async (
  db: Database,
  { tenantId, connectorId }: AnswerChatMessage,
): Promise<ConnectorItem | undefined> => {
  const connector = await getConnector(db, tenantId, connectorId);
  return connector?.active && connector.policy !== "DenyAll" ? connector : undefined;
};

/** The same for the same message, so that it runs the agent once however often and late it comes. */
const executionIdOf = ({ id }: AnswerChatMessage): string =>
  uuidAt(timeOfUuid(id), createHash("sha256").update(`answer/${id}`).digest());

/** Whether the agent may be run; who is not let in yet is told so here. */
const admit = async (
  deps: AnswerDeps,
  connector: ConnectorItem,
  message: AnswerChatMessage,
  deadline: number,
): Promise<boolean> => {
  const { tenantId: id, organizationId } = message;
  if (message.admitted) {
    const userId = chatUserIdOf(connector.id, message.message.user.id);
    return (await getChatUser(deps.db, id, connector.agentId, userId))?.status === "Active";
  }
  const admission = await admitMessage(deps, {
    tenant: { id, organizationId },
    connector,
    message: message.message,
  });
  if (admission.outcome === "onboard" && admission.text !== null) {
    await onboard(deps, connector, message, { text: admission.text, deadline });
  }
  return admission.outcome === "run";
};

/** Answers somebody who is not let in yet; what is noted of it leaves the answer to come as it is. */
const onboard = async (
  deps: AnswerDeps,
  connector: ConnectorItem,
  message: AnswerChatMessage,
  { text, deadline }: { text: string; deadline: number },
): Promise<void> => {
  const repetition = `${message.message.repetition ?? ""}/onboarding`;
  const welcome = { ...message, message: { ...message.message, repetition } };
  const answer = await beginAnswer(deps.db, welcome, deps.runtime.clock());
  if (!answer || answer.isDone) return;
  await sayOn(deps, connector, welcome, { text, answer, deadline });
  await finishAnswer(deps.db, welcome, undefined);
};

/** Says what of a text was not said before. */
const sayOn = async (
  deps: AnswerDeps,
  connector: ConnectorItem,
  message: AnswerChatMessage,
  { text, answer, deadline }: { text: string; answer: ChatAnswerItem; deadline: number },
): Promise<void> => {
  if (text.trim() === "") return;
  await say(sayDeps(deps), connector, message, {
    text,
    from: answer.sentParts,
    onPart: (sent) => noteSentParts(deps.db, message, sent),
    until: deadline - lastMs,
  });
};

const sayDeps = ({ sealer, outgoing, runtime, sleep }: AnswerDeps): SayDeps => ({
  sealer,
  outgoing,
  clock: runtime.clock,
  sleep: (ms) => sleep(ms, new AbortController().signal),
});
