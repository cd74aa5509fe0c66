import * as z from "zod";
import { TenantId } from "../platform/db/tenant-id.ts";
import { Timestamp, Uuid } from "../platform/http/ids.ts";

/**
 * Asks for the executions that wait for a connection to be continued, if it is active. Safe to repeat, and to arrive late.
 * `againAt`: when the write that follows it has come, or never will; those that still wait are looked for once more then.
 */
export const ResumeConnectedMessage = z.object({
  type: z.literal("resume-connected"),
  tenantId: TenantId,
  connectionId: z.string(),
  againAt: Timestamp.optional(),
});
export type ResumeConnectedMessage = z.output<typeof ResumeConnectedMessage>;

/** Requests that the connections of a deleted config are revoked and deleted. Safe to repeat. */
export const PurgeConnectionsMessage = z.object({
  type: z.literal("purge-connections"),
  tenantId: TenantId,
  configId: Uuid,
});
export type PurgeConnectionsMessage = z.output<typeof PurgeConnectionsMessage>;
