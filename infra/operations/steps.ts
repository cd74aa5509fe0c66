import { logGroupName } from "../settings/names.ts";
import type { Step } from "./alarm-row.ts";

/** Step for failures that follow a deployment. */
export const rollBack: Step = {
  text: "If it began with a deployment, return to the commit that was deployed before.",
  command: "npm run deploy -- --rollback-to COMMIT",
};

/** Step that shows the errors of consumers and jobs. */
export const findWorkerErrors = (prefix: string): Step => ({
  text: "Read the errors of consumers and jobs: `message` names the operation, `error` the cause.",
  command: `aws logs tail ${logGroupName(prefix, "Workers")} --since 1h --filter-pattern '{ $.level = "ERROR" || $.type = "platform.*" }'`,
});

/** Steps that lead from a failed call to its cause. */
export const findFailedCalls = (prefix: string): readonly Step[] => [
  {
    text: "List the failed calls. `error` is `-` for a response of the product; otherwise the gateway made the response.",
    command: `aws logs tail ${logGroupName(prefix, "Api")} --since 1h --filter-pattern '{ $.status = "5*" }'`,
  },
  {
    text: "Read the cause. ID is the `requestId` of the call, or the `integrationRequestId` after a crash; AREA is the stack of the function, such as `Agents`.",
    command: `aws logs tail ${logGroupName(prefix, "AREA")} --since 1h --filter-pattern '"ID"'`,
  },
];
