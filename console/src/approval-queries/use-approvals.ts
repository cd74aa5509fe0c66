import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type { Approval, DecideApprovalBody } from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";
import type { ShownApprovalStatus } from "./status.ts";

const approvalsPath = "/v1/tenants/{tenant}/approvals";
const approvalPath = `${approvalsPath}/{approval}` as const;
const badgeMilliseconds = 30_000;

/** Lists the approvals of the tenant, newest first; new ones appear by themselves. */
export const useApprovals = (status: ShownApprovalStatus) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Approval>({
    queryKey: [tenant, "approvals", "list", { status }],
    getId: ({ id }) => id,
    isLive: true,
    read: (page) =>
      unwrapBody(
        client.GET(approvalsPath, {
          params: { path: { tenant }, query: { ...page, ...(status !== "All" && { status }) } },
        }),
      ),
  });
};

/** Reads the first page of pending approvals: of the tenant, or of an execution. */
export const usePendingApprovals = (isAsked: boolean, executionId?: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "approvals", "pending", { executionId }],
    enabled: isAsked,
    refetchInterval: badgeMilliseconds,
    queryFn: () =>
      unwrapBody(
        client.GET(approvalsPath, {
          params: {
            path: { tenant },
            query: { status: "Pending", ...(executionId !== undefined && { executionId }) },
          },
        }),
      ),
  });
};

/** Reads an approval. */
export const useApproval = (approval: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "approvals", approval],
    queryFn: () => unwrapBody(client.GET(approvalPath, { params: { path: { tenant, approval } } })),
  });
};

/** Decides an approval. */
export const useDecideApproval = (approval: string) =>
  useAction(
    ["approvals", "executions"],
    ({ client, tenant }, body: DecideApprovalBody) =>
      unwrapBody(
        client.POST(`${approvalPath}:decide`, { params: { path: { tenant, approval } }, body }),
      ),
    // Another user may have decided.
    { isReadAfterRefusal: true },
  );
