import * as z from "zod";
import { TenantId } from "../platform/db/tenant-id.ts";
import { ChosenId, Uuid } from "../platform/http/ids.ts";

/** Requests the purge of a deleted agent. Safe to repeat and to deliver late. */
export const PurgeAgentMessage = z.object({
  type: z.literal("purge-agent"),
  tenantId: TenantId,
  agentId: ChosenId,
});
export type PurgeAgentMessage = z.output<typeof PurgeAgentMessage>;

/**
 * Requests that an agent's schedules match its deployed revision. Safe to repeat and to deliver
 * late.
 */
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
