import { createHash } from "node:crypto";
import { log } from "../../platform/runtime/log.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { recordRefusal } from "../execution/record-refusal.ts";
import { triggerTypes } from "../execution/schemas.ts";
import { type StartDeps, startTriggered } from "../execution/start-triggered.ts";
import type { RunScheduleMessage } from "../messages.ts";
import type { RevisionContent } from "../revision/schemas.ts";
import { inputOfPolicy } from "./check-policy-inputs.ts";
import type { JobPolicy } from "./job-policy.ts";
import { planTimes, scheduleName } from "./plan-schedules.ts";
import { type SyncDeps, syncSchedules } from "./sync-schedules.ts";

/**
 * Starts the execution that a policy is due for, once per scheduled time, with the revision deployed by then.
 * When that revision has no such policy, or another timing, starts nothing and synchronizes the schedules. A
 * refused execution is recorded as failed and not retried; storage failures are thrown.
 */
export const startScheduled = async (
  deps: StartDeps & SyncDeps,
  message: RunScheduleMessage,
): Promise<void> => {
  const { tenantId, agentId, policyId } = message;
  const policyIn = ({ jobPolicyConfigs }: RevisionContent): JobPolicy | undefined =>
    jobPolicyConfigs.find((policy) => policy.id === policyId && isDueAt(policy, message));
  const run = {
    executionId: executionIdOf(message),
    trigger: { type: triggerTypes.schedule, id: policyId, provider: null },
  };
  const begun = await startTriggered(deps, {
    tenantId,
    agentId,
    ...run,
    limitsIn: (content) => {
      const policy = policyIn(content);
      return policy && { limitMs: policy.timeout === null ? undefined : policy.timeout * 1_000 };
    },
    inputFor: async (parameters, content) => inputOfPolicy(policyIn(content), parameters),
  });
  if (!("refused" in begun)) return;
  const context = { tenantId, agentId, policyId, reason: begun.refused };
  log().warn("a scheduled run was not started", context);
  if (begun.isStale) {
    await syncSchedules(deps, { tenantId, agentId, stray: scheduleName(message) });
  } else {
    await recordRefusal(deps, tenantId, run, begun.refusal);
  }
};

const isDueAt = (policy: JobPolicy, { expression, timeZone }: RunScheduleMessage): boolean => {
  const times = planTimes(policy);
  return times?.expression === expression && times.timeZone === timeZone;
};

/**
 * Derives the execution's id from policy and time, independent of the revision: a policy runs once per time.
 */
const executionIdOf = ({
  tenantId,
  agentId,
  policyId,
  scheduledTime,
}: RunScheduleMessage): string => {
  const time = Date.parse(scheduledTime);
  const digest = createHash("sha256").update(`${tenantId}/${agentId}/${policyId}/${time}`).digest();
  return uuidAt(time, digest);
};
