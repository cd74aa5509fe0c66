import { getAgent } from "../../agents/agent/store.ts";
import type { Database } from "../../platform/db/database.ts";
import { announce } from "../../platform/outbox/announce.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import type { ConnectorItem } from "../connector/items.ts";
import type { ChatMessage } from "../conversation/message.ts";
import { accessRequested } from "./access-events.ts";
import { chatUserIdOf } from "./id.ts";
import type { ChatUserItem } from "./items.ts";
import { keepMessage, messageMark } from "./kept-message.ts";
import { newAccessRequest, newChatUser } from "./new-access-request.ts";
import { putNewRequest } from "./request-store.ts";
import { getChatUser, recordChatUser } from "./user-store.ts";

/** What letting messages in needs. */
export type AdmitDeps = { db: Database; send: Send; runtime: Runtime };

/** A message, and what it came through. */
export type Incoming = {
  tenant: TenantOwner;
  connector: Pick<ConnectorItem, "id" | "agentId" | "provider" | "policy" | "onBoardingMessage">;
  message: ChatMessage;
};

/** What is to become of a message: run the agent, answer `text` in its place (null: nothing), or nothing at all. */
export type Admission =
  | { outcome: "run" }
  | { outcome: "onboard"; text: string | null }
  | { outcome: "ignore" };

const attempts = 5;

/**
 * Decides what becomes of a chat user's message, by the connector's policy. Under `AllowAll` whoever writes is
 * let in, and stays so; under `RequireApproval` the first message of somebody unknown makes one pending
 * access request, however many come at once, and only that message is answered with the onboarding message.
 * Somebody who was rejected may ask again a day later. Safe to repeat: the same message gets the same answer.
 */
export const admitMessage = async (deps: AdmitDeps, incoming: Incoming): Promise<Admission> => {
  const { tenant, connector, message } = incoming;
  if (connector.policy === "DenyAll") return { outcome: "ignore" };
  const id = chatUserIdOf(connector.id, message.user.id);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const user = await getChatUser(deps.db, tenant.id, connector.agentId, id);
    if (connector.policy === "AllowAll") {
      if (!user)
        await recordChatUser(deps.db, newChatUser(incoming, "Active", deps.runtime.clock()));
      return { outcome: "run" };
    }
    const known = user && admitKnown(user, incoming, deps.runtime.clock());
    if (known) return known;
    if (!(await getAgent(deps.db, tenant.id, connector.agentId))) return { outcome: "ignore" };
    const asked = await ask(deps, incoming, user);
    if (asked === "gone") return { outcome: "ignore" };
    if (asked === "written") return { outcome: "onboard", text: connector.onBoardingMessage };
  }
  throw new Error(`the chat user ${id} is being changed all the time`);
};

/** Undefined for a user who may ask to be let in. */
const admitKnown = (
  user: ChatUserItem,
  { connector, message }: Incoming,
  now: number,
): Admission | undefined => {
  const isAskingAgain = user.askedBy === messageMark(message);
  // The message that made the request is answered by its approval, so that of the queue's two copies one is.
  if (user.status === "Active") return { outcome: isAskingAgain ? "ignore" : "run" };
  if (user.pendingRequestId !== undefined) {
    return { outcome: "onboard", text: isAskingAgain ? connector.onBoardingMessage : null };
  }
  return now < (user.mayAskAt ?? 0) ? { outcome: "onboard", text: null } : undefined;
};

/** Makes the access request; "changed" when another message of the user did so meanwhile, "gone" with its connector. */
const ask = async (
  { db, send, runtime }: AdmitDeps,
  incoming: Incoming,
  before: ChatUserItem | undefined,
): Promise<"written" | "changed" | "gone"> => {
  const { request, user } = newAccessRequest(incoming, before, runtime);
  const event = accessRequested(incoming.tenant.organizationId, request);
  const message = keepMessage(incoming.message);
  const outcome = await putNewRequest(db, { request, user, before, message, event });
  if (outcome === "written") await announce(send, event);
  return outcome;
};
