import { useNavigate } from "@tanstack/react-router";
import { unwrapBody } from "../../../client/client.ts";
import { useAction } from "../shared/use-action.ts";

type StartedExecution = { agent: string; input: Readonly<Record<string, unknown>> };

/** Starts an execution of the deployed revision of an agent, and opens it. */
export const useStartExecution = () => {
  const navigate = useNavigate();
  return useAction(
    ["executions"],
    async ({ client, tenant }, { agent, input }: StartedExecution) => {
      const accepted = await unwrapBody(
        client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", {
          params: { path: { tenant, agent }, header: { Prefer: "respond-async" } },
          body: { input: { ...input } },
        }),
      );
      // Only callers that ask for events get a text.
      if (typeof accepted === "string") return;
      await navigate({
        to: "/t/$tenant/executions/$agent/$executionRecord",
        params: { tenant, agent, executionRecord: accepted.executionId },
      });
    },
  );
};
