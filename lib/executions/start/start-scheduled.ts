import { createHash } from "node:crypto";
import { toPolicyInput } from "../../agents/job-policy/check-policy-inputs.ts";
import type { JobPolicy } from "../../agents/job-policy/job-policy.ts";
import type { RunScheduleMessage } from "../../agents/messages.ts";
import {
  type Deployed,
  loadDeployed,
  missingDetails,
} from "../../agents/revision/load-deployed.ts";
import { planTimes, scheduleName } from "../../agents/schedule/plan-schedules.ts";
import { type SyncSchedulesDeps, syncSchedules } from "../../agents/schedule/sync-schedules.ts";
import { log } from "../../platform/runtime/log.ts";
import { uuidAt } from "../../platform/runtime/runtime.ts";
import { triggerTypes } from "../schemas.ts";
import { toTriggeredSession } from "./plan-start.ts";
import { type RefusalDeps, recordRefusal, startTriggered } from "./start-triggered.ts";

/**
 * Starts the execution that a policy is due for, once per scheduled time, with the revision deployed by then.
 * When that revision has no such policy, or another timing, starts nothing and synchronizes the schedules. A
 * refused execution is recorded as failed and not retried; storage failures are thrown.
 */
export const startScheduled = async (
  deps: RefusalDeps & SyncSchedulesDeps,
  message: RunScheduleMessage,
): Promise<void> => {
  const { tenantId, agentId, policyId } = message;
  const logRefused = (reason: string) =>
    log("scheduled-run-not-started", { tenantId, agentId, policyId, reason });
  const loaded = await loadDeployed(deps, { tenantId, agentId });
  const policy = "missing" in loaded ? undefined : findDuePolicy(loaded, message);
  if ("missing" in loaded || !policy) {
    logRefused(
      "missing" in loaded ? missingDetails[loaded.missing] : "The policy is not deployed.",
    );
    await syncSchedules(deps, { tenantId, agentId, stray: scheduleName(message) });
    return;
  }
  const cause = {
    tenantId,
    executionId: deriveExecutionId(message),
    trigger: { type: triggerTypes.schedule, id: policyId, provider: null },
  };
  const request = {
    ...cause,
    input: toPolicyInput(policy, loaded.revision.content.parametersMetadata),
    limitMs: policy.timeout === null ? undefined : policy.timeout * 1_000,
    session: toTriggeredSession(policy.session),
  };
  const refusal = await startTriggered(deps, { deployed: loaded, request });
  if (!refusal) return;
  logRefused(refusal.detail);
  await recordRefusal(deps, { deployed: loaded, cause, refusal });
};

const findDuePolicy = (
  { revision }: Deployed,
  message: RunScheduleMessage,
): JobPolicy | undefined =>
  revision.content.jobPolicyConfigs.find(
    (policy) => policy.id === message.policyId && isDueAt(policy, message),
  );

const isDueAt = (policy: JobPolicy, { expression, timeZone }: RunScheduleMessage): boolean => {
  const times = planTimes(policy);
  return times?.expression === expression && times.timeZone === timeZone;
};

/**
 * Derives the execution's id from policy and time, independent of the revision: a policy runs once per time.
 */
const deriveExecutionId = ({
  tenantId,
  agentId,
  policyId,
  scheduledTime,
}: RunScheduleMessage): string => {
  const time = Date.parse(scheduledTime);
  const digest = createHash("sha256").update(`${tenantId}/${agentId}/${policyId}/${time}`).digest();
  return uuidAt(time, digest);
};
