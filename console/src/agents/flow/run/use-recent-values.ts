import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../../../client/client.ts";
import { useMay } from "../../../session/permissions.ts";
import { useClient } from "../../../session/session-context.ts";
import { useTenant } from "../../../session/tenant.ts";

const recordsPath = "/v1/tenants/{tenant}/agents/{agent}/execution-records";
const keptMs = 300_000;

/** Values that expressions saw in a run. */
export type RecentValues = { input: unknown; outputs: Readonly<Record<string, unknown>> };

/** Reads the input and the outputs of the agent's latest execution that succeeded; undefined without one. */
export const useRecentValues = (agent: string, isNeeded: boolean): RecentValues | undefined => {
  const client = useClient();
  const tenant = useTenant();
  const may = useMay();
  const isEnabled = isNeeded && may("executions:read") && may("traces:read");
  const { data } = useQuery({
    queryKey: [tenant, "executions", agent, "recent values"],
    enabled: isEnabled,
    staleTime: keptMs,
    retry: false,
    queryFn: async (): Promise<RecentValues | null> => {
      const query = { PageSize: 1, status: "Succeeded" } as const;
      const path = { tenant, agent };
      const { items } = await unwrapBody(client.GET(recordsPath, { params: { path, query } }));
      const [latest] = items;
      if (!latest) return null;
      const params = { path: { ...path, executionRecord: latest.id } };
      const [{ input }, { spans }] = await Promise.all([
        unwrapBody(client.GET(`${recordsPath}/{executionRecord}`, { params })),
        unwrapBody(client.GET(`${recordsPath}/{executionRecord}/trace`, { params })),
      ]);
      const steps = spans.filter(
        ({ parentId, status }) => parentId === null && status === "Succeeded",
      );
      return {
        input,
        outputs: Object.fromEntries(steps.map((step) => [step.stepId, step.output])),
      };
    },
  });
  return data ?? undefined;
};
