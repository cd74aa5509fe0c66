import { getAgent } from "../../agents/agent/store.ts";
import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import { accessRequested } from "./access-events.ts";
import { deriveChatUserId } from "./id.ts";
import type { Incoming } from "./incoming.ts";
import type { ChatUserItem } from "./items.ts";
import { keepMessage, messageMark } from "./kept-message.ts";
import { newAccessRequest, newChatUser } from "./new-access-request.ts";
import { putNewRequest } from "./request-store.ts";
import { getChatUser, recordChatUser } from "./user-store.ts";

/** Dependencies of authorizing chat messages. */
export type AuthorizeDeps = { db: Database; send: Send; runtime: Runtime };

/**
 * The decision about a message: run the agent, reply with `text` instead (null: no reply), or
 * ignore it. `isKept`: it is stored until a decision about its user, or was queued again after it.
 */
export type MessageDecision =
  | { outcome: "run" }
  | { outcome: "onboard"; text: string | null; isKept: boolean }
  | { outcome: "ignore"; isKept: boolean };

/**
 * Decides by the connector's policy whether a chat user's message runs the agent. `AllowAll` admits
 * every user. `RequireApproval` creates one pending access request for an unknown user, even if
 * several messages arrive concurrently, and replies only to that message, with the onboarding
 * message; a rejected user may request access again after a day. Idempotent per message.
 */
export const authorizeMessage = async (
  deps: AuthorizeDeps,
  incoming: Incoming,
): Promise<MessageDecision> => {
  const { tenant, connector, message } = incoming;
  if (connector.policy === "DenyAll") return ignored;
  const id = deriveChatUserId(connector.id, message.user.id);
  return retryOnConflict(
    { error: () => new Error(`the chat user ${id} was changed by concurrent requests too often`) },
    async () => {
      const user = await getChatUser(deps.db, tenant.id, connector.agentId, id);
      if (connector.policy === "AllowAll") {
        if (!user) {
          await recordChatUser(deps.db, newChatUser(incoming, "Active", deps.runtime.clock()));
        }
        return { outcome: "run" };
      }
      const decided = user && admitExisting(user, incoming, deps.runtime.clock());
      if (decided) return decided;
      if (!(await getAgent(deps.db, tenant.id, connector.agentId))) return ignored;
      const outcome = await requestAccess(deps, incoming, user);
      if (outcome === "changed") return outcome;
      if (outcome === "gone") return ignored;
      return { outcome: "onboard", text: connector.onBoardingMessage, isKept: isKept(message) };
    },
  );
};

const ignored = { outcome: "ignore", isKept: false } as const;

const isKept = (message: Incoming["message"]): boolean => keepMessage(message) !== undefined;

/** Returns the outcome for an existing user; undefined when the user may request access. */
const admitExisting = (
  user: ChatUserItem,
  { connector, message }: Incoming,
  now: number,
): MessageDecision | undefined => {
  // The message that created the latest request gets its reply with the approval, so its redelivery
  // is ignored.
  const isRedelivered = user.askedBy === messageMark(message);
  if (user.status === "Active") {
    return isRedelivered ? { outcome: "ignore", isKept: isKept(message) } : { outcome: "run" };
  }
  if (user.pendingRequestId !== undefined) {
    return isRedelivered
      ? { outcome: "onboard", text: connector.onBoardingMessage, isKept: isKept(message) }
      : { outcome: "onboard", text: null, isKept: false };
  }
  if (now >= (user.mayAskAt ?? 0)) return undefined;
  return { outcome: "onboard", text: null, isKept: false };
};

/** Creates the access request; "changed" when a concurrent message did, "gone" when the connector was deleted. */
const requestAccess = async (
  { db, send, runtime }: AuthorizeDeps,
  incoming: Incoming,
  before: ChatUserItem | undefined,
): Promise<"written" | "changed" | "gone"> => {
  const { request, user } = newAccessRequest(incoming, before, runtime);
  const event = accessRequested(incoming.tenant.organizationId, request);
  const message = keepMessage(incoming.message);
  const outcome = await putNewRequest(db, { request, user, before, message, event });
  if (outcome === "written") await enqueueEvent(send, event);
  return outcome;
};
