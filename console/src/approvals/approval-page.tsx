import { Anchor, Stack, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Approval } from "../../../client/openapi.ts";
import { listApprovers } from "../approval-queries/list-approvers.ts";
import { approvalKinds } from "../approval-queries/status.ts";
import { useApproval } from "../approval-queries/use-approvals.ts";
import { useTenant } from "../session/tenant.ts";
import { Facts } from "../shared/facts.tsx";
import { JsonView } from "../shared/json-view.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { DecideForm } from "./decide-form.tsx";
import { labelDecision } from "./label-decision.ts";

const route = getRouteApi("/t/$tenant/approvals/$approval");

/** Shows an approval, and decides a pending one. */
export const DecideApprovalPage = () => {
  const { tenant, approval: id } = route.useParams();
  const { data: approval, error } = useApproval(id);
  if (!approval) return error ? <ReadProblem error={error} /> : <PageLoader />;
  const { message, data } = approval;
  return (
    <Page
      title={approval.title}
      back={`/t/${tenant}/approvals`}
      description={<ApprovalFacts approval={approval} />}
    >
      <Stack maw={800}>
        <ReadProblem error={error} />
        {message !== null && <Text style={{ whiteSpace: "pre-wrap" }}>{message}</Text>}
        {data !== null && data !== undefined && <JsonView label="Data" value={data} />}
        <Text size="sm">
          Approvers: {listApprovers(approval)}, since <Time value={approval.createdAt} isExact />
        </Text>
        <Decisions approval={approval} />
        <DecideForm key={id} approval={approval} />
      </Stack>
    </Page>
  );
};

const ApprovalFacts = ({ approval }: { approval: Approval }) => {
  const tenant = useTenant();
  const { status, agentId, executionId, kind, createdAt, expiresAt, decidedAt } = approval;
  return (
    <Facts>
      <StatusBadge status={status} kind={approvalKinds[status]} />
      <span>{kind}</span>
      <span>
        requested <Time value={createdAt} />
      </span>
      {status === "Pending" && (
        <span>
          expires <Time value={expiresAt} />
        </span>
      )}
      {decidedAt !== null && (
        <span>
          ended <Time value={decidedAt} />
        </span>
      )}
      <Anchor component={Link} to={`/t/${tenant}/executions/${agentId}/${executionId}`}>
        Execution of {agentId}
      </Anchor>
    </Facts>
  );
};

/** Shows the decisions so far, and how many people are needed. */
const Decisions = ({
  approval: { actions, decisions, minApprovals, status },
}: {
  approval: Approval;
}) => (
  <>
    {minApprovals > 1 && status === "Pending" && (
      <Text size="sm">
        {decisions.length} of {minApprovals} required approvals.
      </Text>
    )}
    {decisions.map(({ action, decidedBy, decidedAt, comment, fields }) => (
      <Stack key={`${decidedBy} ${decidedAt}`} gap={4}>
        <Text size="sm">
          {labelDecision(action, actions)} by {decidedBy}, <Time value={decidedAt} />
          {comment !== null && `: ${comment}`}
        </Text>
        {Object.keys(fields).length > 0 && (
          <JsonView label={`Fields of ${decidedBy}`} value={fields} />
        )}
      </Stack>
    ))}
  </>
);
