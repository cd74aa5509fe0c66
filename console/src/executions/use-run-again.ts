import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { bodyOf } from "../../../client/client.ts";
import type { ExecutionDetail } from "../../../client/openapi.ts";
import { isRecord } from "../agents/flow/members.ts";
import { useTenant } from "../app/tenant.ts";
import { useClient } from "../session/session-context.ts";

/** Starts an execution with the input of another one, and opens it. */
export const useRunAgain = ({ agentId: agent, input }: ExecutionDetail) => {
  const client = useClient();
  const tenant = useTenant();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () =>
      bodyOf(
        client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", {
          params: { path: { tenant, agent }, header: { Prefer: "respond-async" } },
          body: { input: isRecord(input) ? { ...input } : {} },
        }),
      ),
    onSuccess: (accepted) => {
      // Only callers that ask for events get a text.
      if (typeof accepted === "string") return;
      return navigate({
        to: "/t/$tenant/executions/$agent/$executionRecord",
        params: { tenant, agent, executionRecord: accepted.executionId },
      });
    },
  });
};
