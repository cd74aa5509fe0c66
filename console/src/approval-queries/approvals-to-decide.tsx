import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../session/tenant.ts";
import { Time } from "../shared/time.tsx";
import { listApprovers } from "./list-approvers.ts";
import { usePendingApprovals } from "./use-approvals.ts";

/** Shows the pending approvals of an execution that waits: who is asked, and since when. */
export const ApprovalsToDecide = ({ executionId }: { executionId: string }) => {
  const tenant = useTenant();
  const { data: items = [] } = usePendingApprovals(executionId);
  if (items.length === 0) return null;
  return (
    <Alert variant="outline" title="Waits for approval">
      {items.map((approval) => (
        <Text key={approval.id} size="sm">
          <Anchor component={Link} underline="always" to={`/t/${tenant}/approvals/${approval.id}`}>
            {approval.title}
          </Anchor>
          : {listApprovers(approval)}, since <Time value={approval.createdAt} isExact />, until{" "}
          <Time value={approval.expiresAt} isExact />
        </Text>
      ))}
    </Alert>
  );
};
