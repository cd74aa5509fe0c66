import * as z from "zod";
import { TenantId } from "../../platform/db/tenant-id.ts";
import {
  type OrganizationEvent,
  unsentMessageType,
} from "../../platform/outbox/organization-event.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import type { EndInput, HookDeps } from "../job/job.ts";
import {
  EvaluateExecutionMessage,
  RememberExecutionMessage,
  SendChatReplyMessage,
} from "../messages.ts";

/** A message about an execution that ends, with its queue, group and delay. */
const EndMessage = z.discriminatedUnion("queue", [
  z.object({
    queue: z.literal("evaluations"),
    group: TenantId,
    message: z.discriminatedUnion("type", [EvaluateExecutionMessage, RememberExecutionMessage]),
    delaySeconds: z.int(),
  }),
  z.object({
    queue: z.literal("chats"),
    group: z.string(),
    message: SendChatReplyMessage,
    delaySeconds: z.undefined().optional(),
  }),
]);
export type EndMessage = z.output<typeof EndMessage>;

const sendMessage = (
  send: Send,
  { queue, group, message, delaySeconds }: EndMessage,
): Promise<void> => send(queue, group, message, delaySeconds);

/**
 * Queues messages about an execution that ends. Returns events for those that no queue accepted: stored with the end, the
 * outbox sends the message again. An end does not fail with its messages.
 */
export const sendEndMessages = async (
  deps: HookDeps,
  { end, messages }: { end: EndInput; messages: readonly EndMessage[] },
): Promise<OrganizationEvent[]> => {
  const { tenantId, outcome } = end;
  const { item } = outcome;
  const unsent = await Promise.all(
    messages.map(async (message) => {
      try {
        await sendMessage(deps.send, message);
        return [];
      } catch (error) {
        const { type } = message.message;
        log("end-message-not-queued", { executionId: item.id, type, error: asError(error) });
        return [message];
      }
    }),
  );
  const all = unsent.flat();
  const now = deps.runtime.clock();
  const owner = all.length > 0 ? await findOwner(deps.db, tenantId, now) : undefined;
  if (!owner) return [];
  const { organizationId } = owner;
  return all.map((message) => ({
    id: `${unsentMessageType}:${message.message.type}:${item.id}`,
    type: unsentMessageType,
    organizationId,
    tenantId,
    agentId: item.agentId,
    occurredAt: now,
    data: message,
  }));
};

/** Queues the message of an event that stands for one; does nothing for another event. Idempotent. */
export const queueUnsentMessage = async (
  { send }: { send: Send },
  { type, data }: OrganizationEvent,
): Promise<void> => {
  if (type === unsentMessageType) await sendMessage(send, EndMessage.parse(data));
};
