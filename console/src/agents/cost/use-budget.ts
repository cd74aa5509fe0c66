import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../../client/client.ts";
import type { PutBudgetBody } from "../../../../client/openapi.ts";
import { useClient } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { nullIfMissing } from "../../shared/null-if-missing.ts";
import { useAction } from "../../shared/use-action.ts";

const budgetPath = "/v1/tenants/{tenant}/agents/{agent}/budget";

/** Reads the budget of an agent; null without one. */
export const useBudget = (agent: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "budgets", agent],
    queryFn: () =>
      nullIfMissing(unwrapBody(client.GET(budgetPath, { params: { path: { tenant, agent } } }))),
  });
};

/** Creates or replaces the budget of an agent. */
export const usePutBudget = (agent: string) =>
  useAction(
    ["budgets"],
    ({ client, tenant }, body: PutBudgetBody) =>
      unwrapBody(client.PUT(budgetPath, { params: { path: { tenant, agent } }, body })),
    { done: "Saved the budget." },
  );

/** Removes the budget of an agent. */
export const useDeleteBudget = (agent: string) =>
  useAction(["budgets"], ({ client, tenant }) =>
    client.DELETE(budgetPath, { params: { path: { tenant, agent } } }),
  );
