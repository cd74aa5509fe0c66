import type { PolicyStatement } from "./template/policies.ts";

/** Caller identity of operator commands; no function has this name. */
export const operator = "operator";

/** Permissions of operator commands, which move messages between queues, and tenants between installations. */
export const operatorStatements: PolicyStatement[] = [
  {
    allow: true,
    actions: ["sqs:*", "s3:*", "s3vectors:*", "kms:*", "scheduler:*"],
    resources: ["*"],
    conditions: [],
  },
];
