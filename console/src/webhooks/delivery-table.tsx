import { Anchor, Code } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { WebhookDelivery } from "../../../client/openapi.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatCount } from "../shared/format.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { deliveryKinds } from "./status.ts";
import { useDeliveries } from "./use-deliveries.ts";

/** Counts results by status, such as `2 succeeded, 1 failed`. */
const summarizeResults = ({ matched, results }: WebhookDelivery): string => {
  if (matched === false) return "No subscriber matched";
  const counts = Map.groupBy(results, (result) => result.status.toLowerCase());
  return [...counts].map(([name, { length }]) => `${length} ${name}`).join(", ");
};

const buildColumns = (tenant: string, webhook: string): Column<WebhookDelivery>[] => [
  {
    header: "Received",
    cell: ({ id, receivedAt }) => (
      <Anchor component={Link} to={`/t/${tenant}/webhooks/${webhook}/deliveries/${id}`}>
        <Time value={receivedAt} isExact />
      </Anchor>
    ),
  },
  { header: "Event", cell: ({ eventType }) => eventType ?? "none" },
  {
    header: "Status",
    cell: ({ status }) => <StatusBadge status={status} kind={deliveryKinds[status]} />,
  },
  { header: "Results", isSecondary: true, cell: summarizeResults },
  {
    header: "Delivery ID",
    isSecondary: true,
    cell: ({ deliveryId }) =>
      deliveryId !== null && <Code style={{ overflowWrap: "anywhere" }}>{deliveryId}</Code>,
  },
  {
    header: "Bytes",
    isSecondary: true,
    isNumber: true,
    cell: ({ size }) => formatCount(size),
  },
];

/** Lists the deliveries of a webhook. */
export const DeliveryTable = ({ webhook }: { webhook: string }) => {
  const tenant = useTenant();
  return (
    <ResourceTable
      label="Deliveries"
      list={useDeliveries(webhook)}
      getId={({ id }) => id}
      columns={buildColumns(tenant, webhook)}
      empty={
        <EmptyState
          title="No deliveries yet"
          docs="webhooks"
          action={<Code>wharf webhooks send {webhook}</Code>}
        >
          Enter the address at the provider and trigger an event, or choose Send test event. The
          command sends a signed sample of the provider.
        </EmptyState>
      }
    />
  );
};
