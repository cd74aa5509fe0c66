import { Anchor, NativeSelect } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Approval } from "../../../client/openapi.ts";
import { listApprovers } from "../approval-queries/list-approvers.ts";
import { approvalKinds, shownApprovalStatuses } from "../approval-queries/status.ts";
import { useApprovals } from "../approval-queries/use-approvals.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Filters } from "../shared/filters.tsx";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { statusText } from "../shared/status-text.ts";
import { Time } from "../shared/time.tsx";
import { labelDecision } from "./label-decision.ts";

const route = getRouteApi("/t/$tenant/approvals");

const buildColumns = (tenant: string): Column<Approval>[] => [
  {
    header: "Title",
    cell: ({ id, title }) => (
      <Anchor component={Link} to={`/t/${tenant}/approvals/${id}`}>
        {title}
      </Anchor>
    ),
  },
  { header: "Agent", cell: ({ agentId }) => agentId },
  { header: "Kind", isSecondary: true, cell: ({ kind }) => kind },
  { header: "Approvers", isSecondary: true, cell: listApprovers },
  { header: "Requested", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
  { header: "Expires", isSecondary: true, cell: ({ expiresAt }) => <Time value={expiresAt} /> },
  {
    header: "Status",
    cell: ({ status, decisions, actions }) => (
      <>
        <StatusBadge status={status} kind={approvalKinds[status]} />
        {status === "Decided" && ` ${labelDecision(decisions.at(-1)?.action, actions)}`}
      </>
    ),
  },
];

const emptyTitles: Readonly<Record<string, string>> = {
  Mine: "No approvals for you to decide",
  Pending: "No pending approvals",
};

/** Lists the approvals of the tenant: those that the user may decide, or those with a status. */
export const ApprovalsPage = () => {
  const mayDecide = useMay()("agents:execute");
  const { status = mayDecide ? "Mine" : "Pending" } = route.useSearch();
  const navigate = route.useNavigate();
  const tenant = useTenant();
  const list = useApprovals(status);
  const choices = shownApprovalStatuses.map((value) => ({ value, label: statusText(value) }));
  return (
    <Page
      title="Approvals"
      description="Decisions that executions wait for. New approvals appear automatically."
    >
      <Filters>
        <NativeSelect
          label="Show"
          value={status}
          data={[...(mayDecide ? [{ value: "Mine", label: "For me to decide" }] : []), ...choices]}
          onChange={({ currentTarget: { value } }) => {
            const shown = shownApprovalStatuses.find((known) => known === value);
            void navigate({ search: shown ? { status: shown } : {}, replace: true });
          }}
        />
      </Filters>
      <ResourceTable
        label="Approvals"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant)}
        empty={
          <EmptyState title={emptyTitles[status] ?? "No approvals"}>
            An approval appears when an execution reaches an Approval step, or a tool call that
            needs an approval.
          </EmptyState>
        }
      />
    </Page>
  );
};
