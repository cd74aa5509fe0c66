import * as z from "zod";
import { authorizeMessage } from "../../lib/chat/chat-user/authorize-message.ts";
import { decideAccessRequest } from "../../lib/chat/chat-user/decide-access-request.ts";
import { deleteChatUser } from "../../lib/chat/chat-user/delete-chat-user.ts";
import { listAccessRequests } from "../../lib/chat/chat-user/request-store.ts";
import type { AccessRequestStatus } from "../../lib/chat/chat-user/schemas.ts";
import { sendApprovedMessages } from "../../lib/chat/chat-user/send-approved-messages.ts";
import { listChatUsers } from "../../lib/chat/chat-user/user-store.ts";
import type { ConnectorItem } from "../../lib/chat/connector/items.ts";
import type { ConnectorPolicy } from "../../lib/chat/connector/schemas.ts";
import { putNewConnector } from "../../lib/chat/connector/store.ts";
import { ReplyToChatMessage } from "../../lib/chat/messages.ts";
import { OrganizationEvent } from "../../lib/platform/outbox/organization-event.ts";
import { newUuid } from "../../lib/platform/runtime/runtime.ts";
import type { ChatMessage } from "../../lib/vendors/chat-message.ts";
import type { TestDatabase } from "./table.ts";
import { testTenant } from "./tenant.ts";

/** Reply of the connector to users without access. */
export const welcome = "Somebody will let you in soon.";

const PublishedEvent = z.object({ event: OrganizationEvent });

/** Creates a tenant with an agent `hello` and its connector, and chat users who write to it. */
export const testChatUsers = async (db: TestDatabase) => {
  const tenant = testTenant(db);
  await tenant.createAgent("hello");
  const { ctx } = tenant;
  const tenantId = ctx.tenant.id;
  const queues: Record<string, unknown[]> = {};
  let refusing: string | undefined;
  const send = async (queue: string, _group: string, message: unknown) => {
    if (queue === refusing) throw new Error(`the queue ${queue} does not respond`);
    queues[queue] = [...(queues[queue] ?? []), message];
  };
  const deps = { db, send, runtime: ctx };
  /** Creates another connector of the agent. */
  const addConnector = async (): Promise<ConnectorItem> => {
    const now = ctx.clock();
    const item: ConnectorItem = {
      id: newUuid(ctx),
      name: "Chat",
      agentId: "hello",
      provider: "generic",
      parameters: {},
      active: true,
      policy: "RequireApproval",
      onBoardingMessage: welcome,
      createdAt: now,
      modifiedAt: now,
      secrets: null,
      version: 1,
    };
    await putNewConnector(db, tenantId, item);
    return item;
  };
  const connector = await addConnector();
  let count = 0;
  const message = (more: Partial<ChatMessage> = {}): ChatMessage => {
    count += 1;
    return {
      id: `m-${count}`,
      user: { id: "U1", name: "Ada" },
      conversation: { id: "C1", name: "General" },
      text: "Hello",
      receivedAt: ctx.clock(),
      ...more,
    };
  };
  const write = (
    more: Partial<ChatMessage> = {},
    policy: ConnectorPolicy = "RequireApproval",
    through: Partial<Pick<ConnectorItem, "id" | "onBoardingMessage">> = {},
  ) =>
    authorizeMessage(deps, {
      tenant: ctx.tenant,
      connector: { ...connector, ...through, policy },
      message: message(more),
    });
  const page = { size: 200, skip: 0 };
  const list = async (status?: AccessRequestStatus) =>
    (await listAccessRequests(db, tenantId, { agentId: "hello", status }, page)).items;
  const users = async () => (await listChatUsers(db, tenantId, "hello", page)).items;
  const decide = (
    accessRequestId: string,
    decision: "Approved" | "Rejected",
    note: string | null = null,
  ) => decideAccessRequest(deps, { ctx, agentId: "hello", accessRequestId, decision, note });
  const pending = async () => {
    const [request] = await list("Pending");
    if (!request) throw new Error("no request is pending");
    return request;
  };
  const remove = (chatUserId: string) =>
    deleteChatUser(deps, { tenantId, agentId: "hello", chatUserId });
  const sweep = () => sendApprovedMessages({ db, send, clock: ctx.clock });
  const { organizationId } = ctx.tenant;
  /** Returns stored items of the tenant or organization by key prefix. */
  const left = async (prefix: string) =>
    (await db.scan()).filter(
      (item) =>
        String(item.pk).startsWith(prefix) &&
        [tenantId, organizationId].some((id) => JSON.stringify(item).includes(id)),
    );
  const chatMessages = () =>
    (queues.chats ?? []).map((message) => ReplyToChatMessage.parse(message));
  const events = () => (queues.events ?? []).map((event) => PublishedEvent.parse(event).event);
  return {
    tenant,
    tenantId,
    organizationId,
    deps,
    connector,
    addConnector,
    message,
    write,
    list,
    users,
    decide,
    pending,
    remove,
    sweep,
    left,
    queues,
    chatMessages,
    events,
    refuse: (queue: string | undefined) => {
      refusing = queue;
    },
  };
};
