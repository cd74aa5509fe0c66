import * as z from "zod";
import { Uuid } from "../platform/http/ids.ts";
import { OrganizationEvent } from "../platform/outbox/organization-event.ts";

const sampleEvent = {
  id: "agent.execution.failed:0193f0a0-7c4b-7000-8000-000000000001",
  type: "agent.execution.failed",
  organizationId: "local",
  tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
  agentId: "hello",
  occurredAt: 1763596800000,
  data: { executionId: "0193f0a0-7c4b-7000-8000-000000000001" },
};

/*
 * The types are named as in the first release, since a deployment finds queued messages of the version before it.
 */

/** Publishes an event to its recipients. Idempotent. */
export const PublishEventMessage = z
  .object({ type: z.literal("publish-event"), event: OrganizationEvent })
  .meta({ example: { type: "publish-event", event: sampleEvent } });
export type PublishEventMessage = z.output<typeof PublishEventMessage>;

/** Sends an event to a destination of its organization. Idempotent. */
export const NotifyDestinationMessage = z
  .object({ type: z.literal("notify-destination"), event: OrganizationEvent, destinationId: Uuid })
  .meta({
    example: {
      type: "notify-destination",
      event: sampleEvent,
      destinationId: "0193f0a0-7c4b-7000-8000-000000000007",
    },
  });
export type NotifyDestinationMessage = z.output<typeof NotifyDestinationMessage>;

/** Mails a collaborator of the event's agent. Idempotent. */
export const NotifyCollaboratorMessage = z
  .object({ type: z.literal("notify-collaborator"), event: OrganizationEvent, userId: z.string() })
  .meta({ example: { type: "notify-collaborator", event: sampleEvent, userId: "ada" } });
export type NotifyCollaboratorMessage = z.output<typeof NotifyCollaboratorMessage>;
