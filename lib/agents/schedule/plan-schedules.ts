import { createHash } from "node:crypto";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { formatCron } from "../job-policy/cron.ts";
import type { JobPolicy } from "../job-policy/job-policy.ts";
import { toCron } from "../job-policy/policy-cron.ts";
import { parseTimeZone } from "../job-policy/time-zone.ts";
import type { RunScheduleMessage } from "../messages.ts";
import { type Schedule, scheduledTimePlaceholder } from "./schedules.ts";

/** The tenant, agent and id of a policy. */
export type PolicyKey = { tenantId: TenantId; agentId: string; policyId: string };

/** Returns the name of a policy's schedule, which is the same in every revision. */
export const scheduleName = ({ tenantId, agentId, policyId }: PolicyKey): string => {
  const digest = createHash("sha256").update(`${tenantId}/${agentId}/${policyId}`).digest("hex");
  return `job-${digest.slice(0, 40)}`;
};

/** Returns the times of a policy's schedule; undefined for a policy stored before policies were validated. */
export const planTimes = (
  policy: JobPolicy,
): Pick<Schedule, "expression" | "timeZone"> | undefined => {
  const cron = toCron(policy);
  const timeZone = parseTimeZone(policy.timezone ?? "UTC");
  return cron && timeZone ? { expression: formatCron(cron), timeZone } : undefined;
};

/** Plans the schedules of a deployed revision. */
export const planSchedules = (
  tenantId: TenantId,
  agentId: string,
  policies: readonly JobPolicy[],
): Schedule[] =>
  policies.flatMap((policy) => {
    const times = planTimes(policy);
    if (!times) return [];
    const policyId = policy.id;
    const message: RunScheduleMessage = {
      type: "run-schedule",
      tenantId,
      agentId,
      policyId,
      ...times,
      scheduledTime: scheduledTimePlaceholder,
    };
    return [
      {
        name: scheduleName({ tenantId, agentId, policyId }),
        description: `tenant ${tenantId}, agent ${agentId}, job policy ${policyId}`,
        ...times,
        message: JSON.stringify(message),
      },
    ];
  });
