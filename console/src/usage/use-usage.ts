import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import type { Days } from "./range.ts";

/** The ways to group a report. */
export const groupings = ["model", "agent", "revision", "trigger"] as const;
export type Grouping = (typeof groupings)[number];

/** The query; `score` asks for means of scores in place of the measures. */
export type UsageQuestion = Days & { groupBy: Grouping | "score"; agent?: string | undefined };

/** Reads the usage by day. */
export const useUsage = ({ from, to, groupBy, agent }: UsageQuestion) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "usage", { from, to, groupBy, agent }],
    placeholderData: keepPreviousData,
    queryFn: () =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/usage", {
          params: {
            path: { tenant },
            query: { from, to, groupBy, ...(agent !== undefined && { agent }) },
          },
        }),
      ),
  });
};
