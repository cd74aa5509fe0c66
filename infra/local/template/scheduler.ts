import * as z from "zod";
import { type PolicyStatement, readPolicies } from "./policies.ts";
import { findResources, type Source } from "./source.ts";

const TrustPolicy = z.object({
  Statement: z.array(z.object({ Principal: z.object({ Service: z.unknown() }) })),
});

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
    roles: findResources(source, "AWS::IAM::Role").flatMap(({ ref, arn, template }) => {
      const trust = TrustPolicy.safeParse(template.Properties.AssumeRolePolicyDocument);
      const isTrusted = trust.data?.Statement.some(
        ({ Principal }) => Principal.Service === service,
      );
      return isTrusted ? [{ name: ref, arn, statements: policies.get(arn) ?? [] }] : [];
    }),
  };
};
