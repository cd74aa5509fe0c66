import { Alert, Anchor, Badge, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../session/tenant.ts";
import { Time } from "../shared/time.tsx";
import { usePendingApprovals } from "./use-approvals.ts";

/** Shows the number of pending approvals; nothing without one. */
export const PendingBadge = () => {
  const { data } = usePendingApprovals(true);
  if (!data || data.items.length === 0) return null;
  return (
    <Badge variant="default">
      {data.items.length}
      {data.nextPageToken !== null && "+"}
    </Badge>
  );
};

/** Shows the pending approvals of an execution that waits. */
export const ApprovalsToDecide = ({ executionId }: { executionId: string }) => {
  const tenant = useTenant();
  const { data } = usePendingApprovals(true, executionId);
  if (!data || data.items.length === 0) return null;
  return (
    <Alert variant="outline" title="Waits for approval">
      {data.items.map(({ id, title, createdAt, expiresAt }) => (
        <Text key={id} size="sm">
          <Anchor component={Link} to={`/t/${tenant}/approvals/${id}`}>
            {title}
          </Anchor>
          , since <Time value={createdAt} isExact />, until <Time value={expiresAt} isExact />
        </Text>
      ))}
    </Alert>
  );
};
