import { Anchor, Code, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { WebhookDeliveryRun, WebhookSubscription } from "../../../client/openapi.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { toListState } from "../shared/to-list-state.ts";
import { resultKinds } from "./status.ts";
import { useMayRun } from "./use-may-run.ts";
import { useSubscriptions } from "./use-subscriptions.ts";

type RunTableProps = {
  webhook: string;
  runs: readonly WebhookDeliveryRun[];
  /** Replays to one subscription; undefined if the user may not. */
  onReplay: ((subscriptionId: string) => void) | undefined;
};

/** Lists the runs of a delivery, most recent first. */
export const RunTable = ({ webhook, runs, onReplay }: RunTableProps) => {
  const tenant = useTenant();
  const subscriptions = useSubscriptions(webhook).items;
  const findSubscription = (run: WebhookDeliveryRun): WebhookSubscription | undefined =>
    subscriptions.find(({ id }) => id === run.subscriptionId);
  const menu = (run: WebhookDeliveryRun) => {
    const subscription = findSubscription(run);
    return (
      subscription &&
      onReplay && (
        <RunMenu subscription={subscription} onReplay={() => onReplay(run.subscriptionId)} />
      )
    );
  };
  return (
    <ResourceTable
      label="Results"
      list={toListState({ data: runs.toReversed() })}
      getId={({ subscriptionId, requestedAt }) => `${subscriptionId} ${requestedAt}`}
      columns={buildColumns(tenant, findSubscription)}
      actions={onReplay ? menu : undefined}
      empty={
        <EmptyState title="No results">
          The webhook had no subscription when this delivery arrived. Add one, then replay it.
        </EmptyState>
      }
    />
  );
};

type RunMenuProps = { subscription: WebhookSubscription; onReplay: () => void };

const RunMenu = ({ subscription, onReplay }: RunMenuProps) => {
  const mayReplay = useMayRun([subscription]);
  return (
    <RowMenu
      name={subscription.subscriberId}
      actions={mayReplay ? [{ label: "Replay to this subscription", onClick: onReplay }] : []}
    />
  );
};

const buildColumns = (
  tenant: string,
  findSubscription: (run: WebhookDeliveryRun) => WebhookSubscription | undefined,
): Column<WebhookDeliveryRun>[] => [
  {
    header: "Subscriber",
    cell: (run) => {
      const subscription = findSubscription(run);
      return subscription ? (
        `${subscription.subscriberType} ${subscription.subscriberId}`
      ) : (
        <>
          Deleted subscription <Code>{run.subscriptionId}</Code>
        </>
      );
    },
  },
  {
    header: "Sent",
    isSecondary: true,
    cell: ({ requestedAt, isReplay }) => (
      <>
        <Time value={requestedAt} isExact />
        {isReplay && " (replay)"}
      </>
    ),
  },
  {
    header: "Status",
    cell: ({ status, error }) => (
      <>
        <StatusBadge status={status} kind={resultKinds[status]} />
        {error !== null && (
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {error}
          </Text>
        )}
      </>
    ),
  },
  { header: "Attempts", isNumber: true, isSecondary: true, cell: ({ attempts }) => attempts },
  {
    header: "Execution",
    cell: (run) => {
      const subscription = findSubscription(run);
      if (run.executionId === null) return "none";
      if (subscription?.subscriberType !== "Agent") return <Code>{run.executionId}</Code>;
      return (
        <Anchor
          component={Link}
          to={`/t/${tenant}/executions/${subscription.subscriberId}/${run.executionId}`}
        >
          Open execution
        </Anchor>
      );
    },
  },
];
