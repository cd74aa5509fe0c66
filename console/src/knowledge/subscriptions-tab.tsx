import { Anchor, Button, Code, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Asset, WebhookSubscription } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { ConfirmDialog } from "../shared/confirm-dialog.tsx";
import { EmptyState } from "../shared/empty-state.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { Time } from "../shared/time.tsx";
import { toListState } from "../shared/to-list-state.ts";
import { useDeleteSubscription } from "../webhooks/use-subscriptions.ts";
import { SubscribeDialog } from "./subscribe-dialog.tsx";
import { type AssetSubscription, useAssetSubscriptions } from "./use-asset-subscriptions.ts";
import { webhookLabel } from "./webhook-label.ts";

const buildColumns = (tenant: string): Column<AssetSubscription>[] => [
  {
    header: "Webhook",
    cell: ({ webhook }) => (
      <Anchor component={Link} to={`/t/${tenant}/webhooks/${webhook.id}`}>
        {webhookLabel(webhook)}
      </Anchor>
    ),
  },
  {
    header: "Event types",
    cell: ({ subscription: { eventTypes } }) =>
      eventTypes === null ? "all" : eventTypes.join(", "),
  },
  {
    header: "Filter",
    isSecondary: true,
    isWide: true,
    cell: ({ subscription: { filter } }) => filter !== null && <Code>{filter}</Code>,
  },
  {
    header: "Created",
    isSecondary: true,
    cell: ({ subscription: { createdAt } }) => <Time value={createdAt} />,
  },
];

/** Lists, creates and deletes the subscriptions of an asset: a delivery of their webhooks starts a sync. */
export const SubscriptionsTab = ({ asset }: { asset: Asset }) => {
  const tenant = useTenant();
  const mayWrite = useMay()("integrations:write");
  const { data, isLoading, error } = useAssetSubscriptions(asset.id);
  const [open, setOpen] = useState<"create" | WebhookSubscription>();
  const close = (): void => setOpen(undefined);
  const menu = ({ webhook, subscription }: AssetSubscription) => (
    <RowMenu
      name={webhookLabel(webhook)}
      actions={[{ label: "Unsubscribe", onClick: () => setOpen(subscription), isDangerous: true }]}
    />
  );
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 240px">
          A delivery of a webhook starts a sync. Simultaneous deliveries start only one.
        </Text>
        {mayWrite && (
          <Button size="xs" onClick={() => setOpen("create")}>
            Subscribe to a webhook
          </Button>
        )}
      </Group>
      <ResourceTable
        label="Subscriptions"
        list={toListState({ data, isLoading, error })}
        getId={({ subscription }) => subscription.id}
        columns={buildColumns(tenant)}
        actions={mayWrite ? menu : undefined}
        empty={
          <EmptyState title="No subscriptions yet">
            Subscribe to a webhook of the source, such as GitHub’s push, so that the index follows
            every change.
          </EmptyState>
        }
      />
      {open === "create" && <SubscribeDialog asset={asset.id} onClose={close} />}
      {typeof open === "object" && <UnsubscribeDialog subscription={open} onClose={close} />}
    </Stack>
  );
};

type UnsubscribeDialogProps = { subscription: WebhookSubscription; onClose: () => void };

const UnsubscribeDialog = ({ subscription, onClose }: UnsubscribeDialogProps) => {
  const { mutateAsync } = useDeleteSubscription(subscription);
  return (
    <ConfirmDialog
      title="Unsubscribe?"
      action="Unsubscribe"
      done="Removed the subscription."
      isDangerous
      onConfirm={() => mutateAsync()}
      onClose={onClose}
    >
      <Text>Deliveries of this webhook start no further syncs of the asset.</Text>
    </ConfirmDialog>
  );
};
