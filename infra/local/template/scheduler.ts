import { type PolicyStatement, readPolicies, rolesTrusting } from "./policies.ts";
import { findResources, type Source } from "./source.ts";

/** A role that EventBridge Scheduler may assume; its name is the caller identity of scheduled messages. */
export type SchedulerRole = { name: string; arn: string; statements: PolicyStatement[] };

/** Schedule groups and roles for EventBridge Scheduler. */
export type LocalScheduler = { groups: string[]; roles: SchedulerRole[] };

const service = "scheduler.amazonaws.com";

/** Reads the schedule groups and the roles that EventBridge Scheduler may assume. */
export const readScheduler = (source: Source): LocalScheduler => {
  const policies = readPolicies(source);
  return {
    groups: findResources(source, "AWS::Scheduler::ScheduleGroup").map(({ ref }) => ref),
    roles: rolesTrusting(source, service).map(({ ref, arn }) => ({
      name: ref,
      arn,
      statements: policies.get(arn) ?? [],
    })),
  };
};
