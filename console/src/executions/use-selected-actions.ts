import { useState } from "react";
import { unwrapBody } from "../../../client/client.ts";
import type { ExecutionRecord } from "../../../client/openapi.ts";
import { notifyDone, notifyProblem } from "../shared/notify.ts";
import { useAction } from "../shared/use-action.ts";
import { type BulkResult, describeResult, runAll } from "./run-all.ts";

const agentPath = "/v1/tenants/{tenant}/agents/{agent}";
const recordPath = `${agentPath}/execution-records/{executionRecord}` as const;

const isInput = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const announce = (result: BulkResult, verb: string): void => {
  const message = describeResult(result, verb);
  if (result.failed > 0) notifyProblem({ message });
  else notifyDone({ message });
};

/** Actions on several executions, one after the other; `done` counts those that were tried. */
export const useSelectedActions = () => {
  const [done, setDone] = useState(0);
  const cancel = useAction(
    ["executions"],
    async ({ client, tenant }, executions: readonly ExecutionRecord[]) => {
      const result = await runAll(
        executions,
        ({ agentId: agent, id: executionRecord }) =>
          unwrapBody(
            client.POST(`${recordPath}:cancel`, {
              params: { path: { tenant, agent, executionRecord } },
            }),
          ),
        setDone,
      );
      announce(result, "cancelled");
    },
  );
  const runAgain = useAction(
    ["executions"],
    async ({ client, tenant }, executions: readonly ExecutionRecord[]) => {
      const result = await runAll(
        executions,
        async ({ agentId: agent, id: executionRecord }) => {
          const { input } = await unwrapBody(
            client.GET(recordPath, { params: { path: { tenant, agent, executionRecord } } }),
          );
          return unwrapBody(
            client.POST(`${agentPath}:execute`, {
              params: { path: { tenant, agent }, header: { Prefer: "respond-async" } },
              body: { input: isInput(input) ? input : {} },
            }),
          );
        },
        setDone,
      );
      announce(result, "started");
    },
  );
  return { cancel, runAgain, done };
};
