import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { ExecutionStatus } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";

const recordsPath = "/v1/tenants/{tenant}/execution-records";
const liveMilliseconds = 15_000;
const hour = 3_600_000;

/** The hours that failures are shown of. */
export const failureHours = 24;

/** Reads the newest executions with a status: of the last day for those that have ended. */
export const useNewest = (status: ExecutionStatus, { isRecent = false } = {}) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "executions", "home", status],
    refetchInterval: liveMilliseconds,
    queryFn: () => {
      const startTime = Date.now() - failureHours * hour;
      const query = { status, PageSize: 50, ...(isRecent && { startTime }) };
      return unwrapBody(client.GET(recordsPath, { params: { path: { tenant }, query } }));
    },
  });
};

const firstPage = { PageSize: 200 };

/** Reads what the checklist is made from, as far as the user may. */
export const useTenantState = () => {
  const client = useClient();
  const tenant = useTenant();
  const may = useMay();
  const params = { path: { tenant }, query: firstPage };
  const providers = useQuery({
    queryKey: [tenant, "llm-providers", "home"],
    enabled: may("llm_providers:read"),
    queryFn: () => unwrapBody(client.GET("/v1/tenants/{tenant}/llm-providers", { params })),
  });
  const agents = useQuery({
    queryKey: [tenant, "agents", "home"],
    enabled: may("agents:read"),
    queryFn: () => unwrapBody(client.GET("/v1/tenants/{tenant}/agents", { params })),
  });
  const executions = useQuery({
    queryKey: [tenant, "executions", "home", "any"],
    enabled: may("executions:read"),
    queryFn: () =>
      unwrapBody(client.GET(recordsPath, { params: { path: { tenant }, query: { PageSize: 1 } } })),
  });
  const keys = useQuery({
    queryKey: [tenant, "api-keys", "home"],
    enabled: may("keys:read"),
    queryFn: () => unwrapBody(client.GET("/v1/tenants/{tenant}/apiKeys", { params })),
  });
  const reads = [providers, agents, executions, keys];
  return {
    state: {
      providers: providers.data?.items,
      agents: agents.data?.items,
      hasExecutions: executions.data && executions.data.items.length > 0,
      keys: keys.data?.items,
    },
    isLoading: reads.some(({ isLoading }) => isLoading),
    error: reads.find(({ error }) => error)?.error,
  };
};
