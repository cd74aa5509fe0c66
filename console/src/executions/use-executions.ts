import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { ExecutionRecord, ExecutionStatus } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";
import { type ExecutionSearch, endOfDay, toQuery } from "./search.ts";

const recordsPath = "/v1/tenants/{tenant}/agents/{agent}/execution-records";
const allRecordsPath = "/v1/tenants/{tenant}/execution-records";

/** Lists the executions of an agent, or of all agents, newest first; new ones appear by themselves. */
export const useExecutions = ({ agent, ...filters }: ExecutionSearch) => {
  const client = useClient();
  const tenant = useTenant();
  const { to } = filters;
  return useList<ExecutionRecord>({
    queryKey: [tenant, "executions", agent ?? null, filters],
    getId: ({ id }) => id,
    getTime: ({ startTime }) => startTime,
    isLive: true,
    read: (page, until) => {
      const endTime = until ?? (to === undefined ? undefined : endOfDay(to));
      const query = {
        ...page,
        ...toQuery(filters),
        ...(endTime !== undefined && { endTime }),
      };
      return agent === undefined
        ? unwrapBody(client.GET(allRecordsPath, { params: { path: { tenant }, query } }))
        : unwrapBody(client.GET(recordsPath, { params: { path: { tenant, agent }, query } }));
    },
  });
};

/** Returns whether an execution is in progress. */
export const isOpen = (status: ExecutionStatus): boolean =>
  status === "Queued" || status === "Waiting" || status === "Running";

const openMilliseconds = 1_000;

/** Reads an execution, every second until it ends. */
export const useExecution = (agent: string, executionRecord: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "executions", agent, executionRecord],
    queryFn: () =>
      unwrapBody(
        client.GET(`${recordsPath}/{executionRecord}`, {
          params: { path: { tenant, agent, executionRecord } },
        }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data && isOpen(data.status) ? openMilliseconds : false,
  });
};

/** Reads the trace of an execution; its spans exist when it has ended. */
export const useTrace = (agent: string, executionRecord: string, isEnded: boolean) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "executions", agent, executionRecord, "trace"],
    enabled: isEnded,
    queryFn: () =>
      unwrapBody(
        client.GET(`${recordsPath}/{executionRecord}/trace`, {
          params: { path: { tenant, agent, executionRecord } },
        }),
      ),
  });
};

/** Cancels an execution. */
export const useCancelExecution = (agent: string, executionRecord: string) =>
  useAction(
    ["executions"],
    ({ client, tenant }) =>
      client.POST(`${recordsPath}/{executionRecord}:cancel`, {
        params: { path: { tenant, agent, executionRecord } },
      }),
    // It may have ended.
    { done: "Cancelled the execution.", isReadAfterRefusal: true },
  );
