import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../../client/client.ts";
import type { PutOnlineEvaluationBody } from "../../../../client/openapi.ts";
import { useClient } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { nullIfMissing } from "../../shared/null-if-missing.ts";
import { useAction } from "../../shared/use-action.ts";

const evaluationPath = "/v1/tenants/{tenant}/agents/{agent}/online-evaluation";

/** Reads the online evaluation of an agent; null without one. */
export const useOnlineEvaluation = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "online-evaluations", agent],
    queryFn: () =>
      nullIfMissing(
        unwrapBody(client.GET(evaluationPath, { params: { path: { tenant, agent } } })),
      ),
  });
};

/** Sets the online evaluation of an agent. */
export const usePutOnlineEvaluation = (agent: string) =>
  useAction(
    ["online-evaluations"],
    ({ client, tenant }, body: PutOnlineEvaluationBody) =>
      unwrapBody(client.PUT(evaluationPath, { params: { path: { tenant, agent } }, body })),
    { done: "Saved the online evaluation." },
  );

/** Ends the online evaluation of an agent. */
export const useDeleteOnlineEvaluation = (agent: string) =>
  useAction(["online-evaluations"], ({ client, tenant }) =>
    client.DELETE(evaluationPath, { params: { path: { tenant, agent } } }),
  );
