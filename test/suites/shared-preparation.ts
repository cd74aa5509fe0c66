import { cancelA2aTask, followA2aTask, subscribeToA2aTask } from "../../functions/a2a/routes.ts";
import {
  approveAccessRequest,
  rejectAccessRequest,
} from "../../functions/access-requests/routes.ts";
import { rotateApiKey } from "../../functions/api-keys/routes.ts";
import { createApprovalLink, decideApproval } from "../../functions/approvals/routes.ts";
import { addExamplesFromExecutions } from "../../functions/datasets/routes.ts";
import { cancelExecution } from "../../functions/executions/routes.ts";
import { completeFileUpload } from "../../functions/files/routes.ts";
import { rotateMcpKey } from "../../functions/integration-configs/routes.ts";
import { cancelResponse } from "../../functions/openai/routes.ts";
import { sendTestEvent } from "../../functions/webhooks/routes.ts";
import type { Route } from "../../lib/edge/route.ts";

/** Rows that use up what is prepared for them, or need it in another state than other rows do. */
const alone: ReadonlySet<string> = new Set(
  [
    approveAccessRequest,
    rejectAccessRequest,
    rotateApiKey,
    decideApproval,
    createApprovalLink,
    addExamplesFromExecutions,
    cancelExecution,
    cancelResponse,
    cancelA2aTask,
    followA2aTask,
    subscribeToA2aTask,
    rotateMcpKey,
    completeFileUpload,
    sendTestEvent,
  ].map(({ operation }) => operation),
);

/**
 * Returns the name of a row's preparation. Rows of a group with the same resources in their paths
 * share one, unless they delete these or use them up.
 */
export const preparationFor = (row: Route): string => {
  if (row.method === "DELETE" || row.inbound || row.signed || alone.has(row.operation)) {
    return row.operation;
  }
  return [row.group, ...row.path.matchAll(/\{\w+\}/g)].join(" ");
};

/** Returns a function that keeps what it returned, and returns it again for an equal key. */
export const onceEach = <Argument, Result>(
  run: (argument: Argument) => Result,
  toKey: (argument: Argument) => string,
): ((argument: Argument) => Result) => {
  const results = new Map<string, Result>();
  return (argument) => {
    const result = results.get(toKey(argument)) ?? run(argument);
    results.set(toKey(argument), result);
    return result;
  };
};
