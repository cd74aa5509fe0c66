import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import type { ResumeConnectedMessage } from "../messages.ts";

/** Most writes have come by then. */
const usualSeconds = 2;
/** Longer than a function with such a write runs. */
const longestMs = 40_000;

/**
 * Sends the request to continue the executions that wait for a connection, before the write after which they can: a crash between them
 * leaves no execution waiting. A write that comes after the message is found by the second one.
 */
export const sendResume = (
  { runtime, send }: { runtime: Pick<Runtime, "clock">; send: Send },
  {
    tenantId,
    connectionId,
    seconds = usualSeconds,
  }: { tenantId: TenantId; connectionId: string; seconds?: number },
): Promise<void> => {
  const againAt = runtime.clock() + longestMs;
  const ids = { tenantId, connectionId };
  const message: ResumeConnectedMessage = { type: "resume-connected", ...ids, againAt };
  return send("schedules", tenantId, message, seconds);
};
