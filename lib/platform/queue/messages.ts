import * as z from "zod";
import { ChatMessage } from "../../chat/conversation/message.ts";
import { TenantId } from "../db/tenant-id.ts";
import { ChosenId, Uuid } from "../http/ids.ts";
import { OrganizationEvent } from "../outbox/organization-event.ts";

const sampleEvent = {
  id: "agent.execution.failed:0193f0a0-7c4b-7000-8000-000000000001",
  type: "agent.execution.failed",
  organizationId: "local",
  tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
  agentId: "hello",
  occurredAt: 1763596800000,
  data: { executionId: "0193f0a0-7c4b-7000-8000-000000000001" },
};

/** Asks for what a deleted agent left behind to be removed. Safe to repeat and to arrive late. */
export const PurgeAgentMessage = z.object({
  type: z.literal("purge-agent"),
  tenantId: TenantId,
  agentId: ChosenId,
});
export type PurgeAgentMessage = z.output<typeof PurgeAgentMessage>;

/** The same for a deleted webhook, and for its listener on the provider's side. */
export const PurgeWebhookMessage = z.object({
  type: z.literal("purge-webhook"),
  tenantId: TenantId,
  webhookId: Uuid,
});
export type PurgeWebhookMessage = z.output<typeof PurgeWebhookMessage>;

/** The same for a deleted connector's chat users, and for what it kept of conversations. */
export const PurgeConnectorMessage = z.object({
  type: z.literal("purge-connector"),
  tenantId: TenantId,
  agentId: z.string(),
  connectorId: Uuid,
});
export type PurgeConnectorMessage = z.output<typeof PurgeConnectorMessage>;

/** What the queue for housekeeping carries. */
export const PurgeMessage = z
  .discriminatedUnion("type", [PurgeAgentMessage, PurgeWebhookMessage, PurgeConnectorMessage])
  .meta({
    example: {
      type: "purge-agent",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
    },
  });

/** Asks for an execution to be begun, or gone on with. Safe to repeat and to arrive late. */
export const RunExecutionMessage = z
  .object({
    type: z.literal("run-execution"),
    tenantId: TenantId,
    agentId: ChosenId,
    executionId: Uuid,
  })
  .meta({
    example: {
      type: "run-execution",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
      executionId: "0193f0a0-7c4b-7000-8000-000000000001",
    },
  });
export type RunExecutionMessage = z.output<typeof RunExecutionMessage>;

/** A delivery that was accepted, or, without its content, one that is to be dispatched again. */
export const DispatchDeliveryMessage = z
  .object({
    type: z.literal("dispatch-delivery"),
    tenantId: TenantId,
    webhookId: Uuid,
    id: Uuid,
    /** Names the repetition; undefined for a first dispatch. */
    replayId: Uuid.optional(),
    content: z
      .object({
        provider: z.string(),
        eventType: z.string().nullable(),
        deliveryId: z.string().nullable(),
        receivedAt: z.int(),
        size: z.int(),
        headers: z.record(z.string(), z.string()),
        payload: z.union([
          z.object({ json: z.string() }),
          z.object({ base64: z.string() }),
          z.object({ object: z.string() }),
        ]),
      })
      .optional(),
  })
  .meta({
    example: {
      type: "dispatch-delivery",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      webhookId: "0193f0a0-7c4b-7000-8000-000000000002",
      id: "0193f0a0-7c4b-7000-8000-000000000003",
    },
  });
export type DispatchDeliveryMessage = z.output<typeof DispatchDeliveryMessage>;

/** One delivery for one subscriber. Safe to repeat. */
export const NotifySubscriberMessage = z
  .object({
    type: z.literal("notify-subscriber"),
    tenantId: TenantId,
    webhookId: Uuid,
    id: Uuid,
    subscriptionId: Uuid,
    replayId: Uuid.optional(),
  })
  .meta({
    example: {
      type: "notify-subscriber",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      webhookId: "0193f0a0-7c4b-7000-8000-000000000002",
      id: "0193f0a0-7c4b-7000-8000-000000000003",
      subscriptionId: "0193f0a0-7c4b-7000-8000-000000000004",
    },
  });
export type NotifySubscriberMessage = z.output<typeof NotifySubscriberMessage>;

/** Asks for a webhook's listener on the provider's side to be made. Safe to repeat and to arrive late. */
export const RegisterWebhookMessage = z.object({
  type: z.literal("register-webhook"),
  tenantId: TenantId,
  webhookId: Uuid,
});
export type RegisterWebhookMessage = z.output<typeof RegisterWebhookMessage>;

/** Asks for the listener of a deleted webhook to be removed. Safe to repeat and to arrive late. */
export const UnregisterWebhookMessage = z.object({
  type: z.literal("unregister-webhook"),
  tenantId: TenantId,
  webhookId: Uuid,
  provider: z.string(),
  remote: z.object({ id: z.string(), configId: z.string() }),
  externalContext: z.string().nullable(),
});
export type UnregisterWebhookMessage = z.output<typeof UnregisterWebhookMessage>;

/** What the queue for registrations carries. */
export const RegistrationMessage = z
  .discriminatedUnion("type", [RegisterWebhookMessage, UnregisterWebhookMessage])
  .meta({
    example: {
      type: "register-webhook",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      webhookId: "0193f0a0-7c4b-7000-8000-000000000002",
    },
  });

/**
 * Asks for a chat user's message to be answered. Messages of one conversation are answered one after the
 * other: the group that it is sent with is `chatGroup`. Safe to repeat.
 */
export const AnswerChatMessage = z
  .object({
    type: z.literal("answer-chat"),
    tenantId: TenantId,
    organizationId: z.string(),
    connectorId: Uuid,
    /** Our id of the message, version 7; the same for the same message however often it is sent. */
    id: Uuid,
    /** Whether its user was let in since it was first sent: it is not asked again whether they may. */
    admitted: z.boolean().optional(),
    message: ChatMessage,
  })
  .meta({
    example: {
      type: "answer-chat",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      organizationId: "local",
      connectorId: "0193f0a0-7c4b-7000-8000-000000000005",
      id: "0193f0a0-7c4b-7000-8000-000000000006",
      message: {
        id: "1",
        user: { id: "U1", name: "Ada" },
        conversation: { id: "C1", name: null },
        text: "Hello",
        receivedAt: 1763596800000,
      },
    },
  });
export type AnswerChatMessage = z.output<typeof AnswerChatMessage>;

/** Something happened, and everybody who wants to hear of it is to be told. Safe to repeat. */
export const TellEventMessage = z
  .object({ type: z.literal("tell-event"), event: OrganizationEvent })
  .meta({ example: { type: "tell-event", event: sampleEvent } });
export type TellEventMessage = z.output<typeof TellEventMessage>;

/** An event destination of the event's organization is to be called. Safe to repeat. */
export const TellDestinationMessage = z
  .object({ type: z.literal("tell-destination"), event: OrganizationEvent, destinationId: Uuid })
  .meta({
    example: {
      type: "tell-destination",
      event: sampleEvent,
      destinationId: "0193f0a0-7c4b-7000-8000-000000000007",
    },
  });
export type TellDestinationMessage = z.output<typeof TellDestinationMessage>;

/** A collaborator of the event's agent is to be mailed. Safe to repeat. */
export const TellCollaboratorMessage = z
  .object({ type: z.literal("tell-collaborator"), event: OrganizationEvent, userId: z.string() })
  .meta({ example: { type: "tell-collaborator", event: sampleEvent, userId: "ada" } });
export type TellCollaboratorMessage = z.output<typeof TellCollaboratorMessage>;

/** Asks for an agent's schedules to be made what its deployed revision says. Safe to repeat and to arrive late. */
export const SyncSchedulesMessage = z.object({
  type: z.literal("sync-schedules"),
  tenantId: TenantId,
  agentId: ChosenId,
});
export type SyncSchedulesMessage = z.output<typeof SyncSchedulesMessage>;

/** A job policy is due, by the times that it was given. Safe to repeat, and to arrive when it is not deployed any more. */
export const RunScheduleMessage = z.object({
  type: z.literal("run-schedule"),
  tenantId: TenantId,
  agentId: ChosenId,
  policyId: Uuid,
  expression: z.string(),
  timeZone: z.string(),
  /** ISO 8601, as EventBridge Scheduler writes it. */
  scheduledTime: z.iso.datetime(),
});
export type RunScheduleMessage = z.output<typeof RunScheduleMessage>;

/** What the queue for schedules carries. */
export const ScheduleMessage = z
  .discriminatedUnion("type", [SyncSchedulesMessage, RunScheduleMessage])
  .meta({
    example: {
      type: "sync-schedules",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
    },
  });
