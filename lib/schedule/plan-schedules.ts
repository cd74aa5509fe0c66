import { createHash } from "node:crypto";
import type { RunScheduleMessage } from "../queue/messages.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { formatCron } from "./cron.ts";
import type { JobPolicy } from "./job-policy.ts";
import { cronOf } from "./policy-cron.ts";
import { type Schedule, scheduledTimeMark } from "./schedules.ts";
import { timeZoneOf } from "./time-zone.ts";

/** An agent's policy, wherever it is. */
export type PolicyPlace = { tenantId: TenantId; agentId: string; policyId: string };

/** Name of the one schedule that a policy of an agent has, whatever its revision. */
export const scheduleName = ({ tenantId, agentId, policyId }: PolicyPlace): string => {
  const digest = createHash("sha256").update(`${tenantId}/${agentId}/${policyId}`).digest("hex");
  return `job-${digest.slice(0, 40)}`;
};

/** The schedules of a deployed revision. A policy from before policies were checked may have none. */
export const planSchedules = (
  tenantId: TenantId,
  agentId: string,
  revision: number,
  policies: readonly JobPolicy[],
): Schedule[] =>
  policies.flatMap((policy) => {
    const cron = cronOf(policy);
    const timeZone = timeZoneOf(policy.timezone ?? "UTC");
    if (!cron || !timeZone) return [];
    const policyId = policy.id;
    const message: RunScheduleMessage = {
      type: "run-schedule",
      tenantId,
      agentId,
      revision,
      policyId,
      scheduledTime: scheduledTimeMark,
    };
    return [
      {
        name: scheduleName({ tenantId, agentId, policyId }),
        description: `tenant ${tenantId}, agent ${agentId}, job policy ${policyId}`,
        expression: formatCron(cron),
        timeZone,
        message: JSON.stringify(message),
      },
    ];
  });
