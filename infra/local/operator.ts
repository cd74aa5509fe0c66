import type { PolicyStatement } from "./template/policies.ts";

/** The identity of whoever operates the local stack, as no function's is called. */
export const operator = "operator";

/** What an operator's commands may do: move messages between queues. The table needs no leave. */
export const operatorStatements: PolicyStatement[] = [
  { allow: true, actions: ["sqs:*"], resources: ["*"], conditions: [] },
];
