import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type {
  Approval,
  CreateApprovalLinkBody,
  DecideApprovalBody,
} from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";
import type { ShownApprovalStatus } from "./status.ts";

const approvalsPath = "/v1/tenants/{tenant}/approvals";
const approvalPath = `${approvalsPath}/{approval}` as const;
const pendingMilliseconds = 3_000;

/** Lists the approvals of the tenant, or the pending ones that the user may decide, newest first; new ones appear by themselves. */
export const useApprovals = (status: ShownApprovalStatus | "Mine") => {
  const client = useClient();
  const tenant = useTenant();
  const filter =
    status === "Mine" ? { mayDecide: "true" as const } : { ...(status !== "All" && { status }) };
  return useList<Approval>({
    queryKey: [tenant, "approvals", "list", { status }],
    getId: ({ id }) => id,
    isLive: true,
    read: (page) =>
      unwrapBody(
        client.GET(approvalsPath, { params: { path: { tenant }, query: { ...page, ...filter } } }),
      ),
  });
};

/** Reads the first page of the pending approvals of an execution: all, or those that the user may decide. */
export const usePendingApprovals = (
  executionId: string,
  { isMine = false, isLive = true }: { isMine?: boolean; isLive?: boolean } = {},
) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "approvals", "pending", { executionId, isMine }],
    refetchInterval: isLive ? pendingMilliseconds : false,
    queryFn: async () => {
      const query = isMine ? { mayDecide: "true" as const } : { status: "Pending" as const };
      const { items } = await unwrapBody(
        client.GET(approvalsPath, {
          params: { path: { tenant }, query: { ...query, executionId, PageSize: 100 } },
        }),
      );
      return items;
    },
  });
};

/** Reads an approval; again every few seconds while it is pending. */
export const useApproval = (approval: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "approvals", approval],
    queryFn: () => unwrapBody(client.GET(approvalPath, { params: { path: { tenant, approval } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.status === "Pending" ? pendingMilliseconds : false,
  });
};

/** Creates the address of a page on which a person without an account decides an approval. */
export const useCreateApprovalLink = (approval: string) =>
  useAction([], ({ client, tenant }, body: CreateApprovalLinkBody) =>
    unwrapBody(
      client.POST(`${approvalPath}:link`, { params: { path: { tenant, approval } }, body }),
    ),
  );

/** Decides an approval. */
export const useDecideApproval = (approval: string) =>
  useAction(
    ["approvals", "executions"],
    ({ client, tenant }, body: DecideApprovalBody) =>
      unwrapBody(
        client.POST(`${approvalPath}:decide`, { params: { path: { tenant, approval } }, body }),
      ),
    // Another user may have decided.
    { done: "Saved your decision.", isReadAfterRefusal: true },
  );
