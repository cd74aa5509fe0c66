import type { CreateRevisionBody, JobPolicy, Revision } from "../../../../client/openapi.ts";
import { useAgent } from "../../agent-queries/use-agents.ts";
import { useCreateRevision, useRevision } from "../../agent-queries/use-revisions.ts";

/** A schedule of the latest revision. */
export type Schedule = JobPolicy & {
  /** Whether the deployed revision has the same schedule. */
  isDeployed: boolean;
};

/** Reads the schedules of the latest revision, and which of them are deployed. */
export const useSchedules = (agentId: string) => {
  const agent = useAgent(agentId);
  const { latestRevision = null, deployedRevision = null } = agent.data ?? {};
  const latest = useRevision(agentId, latestRevision);
  const deployed = useRevision(agentId, deployedRevision);
  const isSame = (policy: JobPolicy): boolean =>
    deployed.data?.jobPolicyConfigs.some(
      (jobPolicyConfig) => buildKey(jobPolicyConfig) === buildKey(policy),
    ) ?? false;
  return {
    latest: latest.data,
    latestRevision,
    deployedRevision,
    isLoading: agent.isLoading || latest.isLoading || deployed.isLoading,
    error: agent.error ?? latest.error ?? deployed.error,
    schedules: latest.data?.jobPolicyConfigs.map(
      (policy): Schedule => ({ ...policy, isDeployed: isSame(policy) }),
    ),
  };
};

const buildKey = (policy: JobPolicy): string => {
  const { id, scheduleFrequency, scheduleDay, scheduleDayOfMonth } = policy;
  const { scheduleHour, scheduleMinute, timezone, timeout, prompt, session } = policy;
  return JSON.stringify([
    ...[id, scheduleFrequency, scheduleDay, scheduleDayOfMonth],
    ...[scheduleHour, scheduleMinute, timezone, timeout, prompt, session],
  ]);
};

/** A schedule to save; one without an id is new. */
export type SentSchedule = NonNullable<CreateRevisionBody["jobPolicyConfigs"]>[number];

/** Creates a revision like the latest one, with other schedules. */
export const useSaveSchedules = (agentId: string, latest: Revision) => {
  const create = useCreateRevision(agentId);
  const { agentId: _, agentRevision: __, ...content } = latest;
  const bodyWith = (jobPolicyConfigs: SentSchedule[], comment: string): CreateRevisionBody => ({
    ...content,
    jobPolicyConfigs,
    comment,
  });
  return { ...create, bodyWith };
};
