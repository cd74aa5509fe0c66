import * as z from "zod";
import { findResources, type Source } from "./model.ts";
import { type PolicyStatement, readPolicies } from "./policies.ts";

const TrustedBy = z.object({
  Statement: z.array(z.object({ Principal: z.object({ Service: z.unknown() }) })),
});

/** A role in which the scheduler may fire, by its name: its local identity when it sends to a queue. */
export type SchedulerRole = { name: string; arn: string; statements: PolicyStatement[] };

/** What the scheduler of the template works with. */
export type LocalScheduler = { groups: string[]; roles: SchedulerRole[] };

const service = "scheduler.amazonaws.com";

/** The groups of schedules of the template, and the roles that its scheduler may take on. */
export const readScheduler = (source: Source): LocalScheduler => {
  const policies = readPolicies(source);
  return {
    groups: findResources(source, "AWS::Scheduler::ScheduleGroup").map(
      ({ stack, logicalId, place }) => source.resolver.identity(stack, logicalId, place).ref,
    ),
    roles: findResources(source, "AWS::IAM::Role").flatMap(
      ({ stack, logicalId, resource, place }) => {
        const trusted = TrustedBy.safeParse(resource.Properties.AssumeRolePolicyDocument);
        const isTrusted = trusted.data?.Statement.some(
          ({ Principal }) => Principal.Service === service,
        );
        if (!isTrusted) return [];
        const { ref, attributes } = source.resolver.identity(stack, logicalId, place);
        const arn = attributes.Arn ?? "";
        return [{ name: ref, arn, statements: policies.get(arn) ?? [] }];
      },
    ),
  };
};
