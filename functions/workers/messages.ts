import * as z from "zod";
import {
  PurgeAgentMessage,
  RunScheduleMessage,
  SyncSchedulesMessage,
} from "../../lib/agents/messages.ts";
import { MailApproverMessage } from "../../lib/approvals/messages.ts";
import {
  PressApprovalMessage,
  PurgeConnectorMessage,
  ReplyToChatMessage,
  ShowApprovalMessage,
} from "../../lib/chat/messages.ts";
import type { Consumer } from "../../lib/edge/consumer.ts";
import { PurgeDatasetMessage, RunExperimentMessage } from "../../lib/evaluation/messages.ts";
import {
  EvaluateExecutionMessage,
  PurgeLateExecutionsMessage,
  PurgeSessionMessage,
  RememberExecutionMessage,
  RunExecutionMessage,
  SendChatReplyMessage,
  WakeExecutionMessage,
} from "../../lib/executions/messages.ts";
import { executing } from "../../lib/executions/schemas.ts";
import {
  PurgeConnectionsMessage,
  ResumeConnectedMessage,
} from "../../lib/integrations/messages.ts";
import {
  IndexDocumentMessage,
  PurgeAssetMessage,
  RemoveDocumentMessage,
  SyncAssetMessage,
} from "../../lib/knowledge/messages.ts";
import {
  PurgeMemoriesMessage,
  PurgePersonMessage,
  ReindexMemoriesMessage,
  RemoveMemoryMessage,
} from "../../lib/memory/messages.ts";
import {
  NotifyCollaboratorMessage,
  NotifyDestinationMessage,
  PublishEventMessage,
} from "../../lib/notifications/messages.ts";
import {
  DispatchDeliveryMessage,
  PurgeWebhookMessage,
  RegistrationMessage,
  SubscriberMessage,
} from "../../lib/webhooks/messages.ts";

/*
 * tenantConcurrency is low enough that a few tenants with endless work cannot block the others, and high enough that
 * a single tenant is fast: work of minutes has at most a quarter of its queue for a tenant, less where it waits for
 * judges or sources. concurrencyWeight shares out half of ACCOUNT_CONCURRENCY (infra/functions/concurrency.ts): with the default
 * quota, 4 functions per unit of weight, and 2 per queue.
 * TENANT_CONCURRENCY and QUEUE_CONCURRENCY override the limits of all queues.
 */

/** Work of minutes. A message is delivered again one minute after its function crashed. */
const long = { timeoutSeconds: 900, visibilitySeconds: 60 } as const;

/** Messages of the queue for housekeeping. */
const PurgeMessage = z
  .discriminatedUnion("type", [
    PurgeAgentMessage,
    PurgeWebhookMessage,
    PurgeConnectorMessage,
    PurgeAssetMessage,
    PurgeDatasetMessage,
    PurgeSessionMessage,
    PurgeLateExecutionsMessage,
    PurgeMemoriesMessage,
    PurgePersonMessage,
    RemoveDocumentMessage,
    RemoveMemoryMessage,
    PurgeConnectionsMessage,
  ])
  .meta({
    example: {
      type: "purge-agent",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
    },
  });

/** Purges deleted agents, webhooks, connectors, assets, datasets, sessions, documents, memories, people and connections: one consumer. */
export const purgeDeleted = {
  operation: "purge-deleted",
  queue: "housekeeping",
  message: PurgeMessage,
  access: {
    table: "write",
    bucket: "purge",
    vectors: "write",
    secrets: "open",
    publishes: ["housekeeping", "registrations"],
  },
  timeoutSeconds: 120,
  concurrencyWeight: 1,
  tenantConcurrency: 2,
} as const satisfies Consumer;

/** Runs executions. Those of a function that crashed are continued by recover-executions, not by their message. */
export const runExecution = {
  operation: "run-execution",
  queue: "executions",
  message: RunExecutionMessage,
  access: executing.access,
  timeoutSeconds: 900,
  // Slow executions mostly wait for models, so a low limit would let a few of them block every tenant.
  concurrencyWeight: 50,
  tenantConcurrency: 50,
} as const satisfies Consumer;

/** Messages of the queue for chats. */
const ChatMessage = z
  .discriminatedUnion("type", [
    ReplyToChatMessage,
    SendChatReplyMessage,
    ShowApprovalMessage,
    PressApprovalMessage,
  ])
  .meta({ example: ReplyToChatMessage.meta()?.example });

/** Replies to messages, and shows and decides approvals; the FIFO queue keeps the order within a conversation or approval. */
export const replyToChat = {
  operation: "reply-to-chat",
  queue: "chats",
  message: ChatMessage,
  access: executing.access,
  ...long,
  concurrencyWeight: 23,
  tenantConcurrency: 23,
} as const satisfies Consumer;

/** Messages of the queue for schedules. */
const ScheduleMessage = z
  .discriminatedUnion("type", [
    SyncSchedulesMessage,
    RunScheduleMessage,
    WakeExecutionMessage,
    ResumeConnectedMessage,
  ])
  .meta({
    example: {
      type: "sync-schedules",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      agentId: "hello",
    },
  });

/** Synchronizes schedules, starts their executions, and wakes waiting ones: one consumer per queue. */
export const startScheduled = {
  operation: "start-scheduled",
  queue: "schedules",
  message: ScheduleMessage,
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["executions", "events", "schedules"],
    schedules: "write",
  },
  timeoutSeconds: 60,
  // All schedules of a minute fire together: this limit starts two thousand a second, and a higher
  // one would only cause contention.
  maxConcurrency: 10,
  concurrencyWeight: 2,
  tenantConcurrency: 4,
} as const satisfies Consumer;

/** Messages of the queue for what is done with an execution after its end, and with what is remembered of it. */
const EndedExecutionMessage = z
  .discriminatedUnion("type", [
    EvaluateExecutionMessage,
    RememberExecutionMessage,
    ReindexMemoriesMessage,
  ])
  .meta({ example: EvaluateExecutionMessage.meta()?.example });

/**
 * Scores an execution of an online evaluation's sample, remembers its turns, or embeds memories again: one consumer
 * per queue. Scorers may wait for models and agents for minutes.
 */
export const evaluateExecution = {
  operation: "evaluate-execution",
  queue: "evaluations",
  message: EndedExecutionMessage,
  access: { ...executing.access, vectors: "write" },
  ...long,
  concurrencyWeight: 6,
  tenantConcurrency: 4,
} as const satisfies Consumer;

/** Drives experiments; a long one continues in another message. */
export const runExperiment = {
  operation: "run-experiment",
  queue: "experiments",
  message: RunExperimentMessage,
  access: { ...executing.access, publishes: [...executing.access.publishes, "experiments"] },
  ...long,
  concurrencyWeight: 6,
  tenantConcurrency: 3,
} as const satisfies Consumer;

/**
 * Dispatches deliveries, up to ten in a call, without a batching window: a lone one does not wait. Evaluates the
 * tenants' texts one after another. The timeout bounds how long a delivery waits after a crash: six times as long.
 */
export const dispatchDelivery = {
  operation: "dispatch-delivery",
  queue: "deliveries",
  message: DispatchDeliveryMessage,
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["subscribers", "deliveries", "evaluations", "events", "executions"],
  },
  timeoutSeconds: 20,
  batchSize: 10,
  concurrencyWeight: 9,
  tenantConcurrency: 19,
} as const satisfies Consumer;

/** Notifies subscribers of a delivery that its dispatch did not notify itself, and ends waits for events. */
export const notifySubscriber = {
  operation: "notify-subscriber",
  queue: "subscribers",
  message: SubscriberMessage,
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: [
      "chats",
      "evaluations",
      "events",
      "executions",
      "schedules",
      "subscribers",
      "syncs",
    ],
  },
  timeoutSeconds: 60,
  concurrencyWeight: 6,
  tenantConcurrency: 13,
} as const satisfies Consumer;

/** Registers and unregisters listeners: one consumer per queue. */
export const registerWebhook = {
  operation: "register-webhook",
  queue: "registrations",
  message: RegistrationMessage,
  access: { table: "write", secrets: "seal" },
  timeoutSeconds: 120,
  concurrencyWeight: 1,
  tenantConcurrency: 2,
} as const satisfies Consumer;

/** Indexes an uploaded file. */
export const indexDocument = {
  operation: "index-document",
  queue: "documents",
  message: IndexDocumentMessage,
  access: {
    table: "write",
    bucket: "write",
    vectors: "write",
    secrets: "open",
    publishes: ["documents"],
    models: true,
  },
  timeoutSeconds: 300,
  memoryMegabytes: 2_048,
  // A file that ends the function is delivered again soon.
  visibilitySeconds: 60,
  concurrencyWeight: 4,
  tenantConcurrency: 4,
} as const satisfies Consumer;

/** Synchronizes assets with their sources; a long one continues in another message. */
export const runAssetSync = {
  operation: "run-asset-sync",
  queue: "syncs",
  message: SyncAssetMessage,
  access: {
    table: "write",
    bucket: "write",
    vectors: "write",
    secrets: "open",
    publishes: ["syncs"],
    models: true,
    sources: true,
  },
  ...long,
  concurrencyWeight: 4,
  tenantConcurrency: 3,
} as const satisfies Consumer;

/** Finds the destinations and collaborators that an event is sent to. */
export const publishEvent = {
  operation: "publish-event",
  queue: "events",
  message: PublishEventMessage,
  access: { table: "write", publishes: ["calls", "chats", "evaluations", "mails"] },
  timeoutSeconds: 60,
  batchSize: 10,
  concurrencyWeight: 3,
  tenantConcurrency: 7,
} as const satisfies Consumer;

/** Calls destinations. Separate from mails, so that slow endpoints do not delay them. */
export const notifyDestination = {
  operation: "notify-destination",
  queue: "calls",
  message: NotifyDestinationMessage,
  access: { table: "write", bucket: "read", secrets: "open" },
  timeoutSeconds: 60,
  batchSize: 10,
  concurrencyWeight: 3,
  tenantConcurrency: 7,
} as const satisfies Consumer;

/** Messages of the queue for mails. */
const MailMessage = z
  .discriminatedUnion("type", [NotifyCollaboratorMessage, MailApproverMessage])
  .meta({ example: NotifyCollaboratorMessage.meta()?.example });

/** Sends mails to collaborators and approvers. */
export const notifyCollaborator = {
  operation: "notify-collaborator",
  queue: "mails",
  message: MailMessage,
  access: { table: "write", secrets: "open", mails: true },
  timeoutSeconds: 60,
  batchSize: 10,
  // A new SES account may send one mail a second: the two functions that every queue has are enough.
  maxConcurrency: 2,
  concurrencyWeight: 0,
  tenantConcurrency: 1,
} as const satisfies Consumer;

/** All queue consumers; infra and the local stack iterate over them. */
export const consumers: readonly Consumer[] = [
  purgeDeleted,
  runExecution,
  dispatchDelivery,
  notifySubscriber,
  indexDocument,
  registerWebhook,
  startScheduled,
  replyToChat,
  publishEvent,
  notifyDestination,
  notifyCollaborator,
  runAssetSync,
  evaluateExecution,
  runExperiment,
];
