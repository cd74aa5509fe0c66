import { Anchor, Button, Code, Group, Stack, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { WebhookSubscription } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
import { EmptyState } from "../shared/empty-state.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { Time } from "../shared/time.tsx";
import { SubscriptionDialog } from "./subscription-dialog.tsx";
import { useMayRun } from "./use-may-run.ts";
import { useDeleteSubscription, useSubscriptions } from "./use-subscriptions.ts";

type Open =
  | { type: "create" }
  | { type: "edit" | "delete"; subscription: WebhookSubscription }
  | undefined;

const buildColumns = (tenant: string): Column<WebhookSubscription>[] => [
  {
    header: "Subscriber",
    cell: ({ subscriberType, subscriberId }) => (
      <>
        {subscriberType}{" "}
        {subscriberType === "Agent" ? (
          <Anchor component={Link} to={`/t/${tenant}/agents/${subscriberId}/flow`}>
            {subscriberId}
          </Anchor>
        ) : (
          <Code>{subscriberId}</Code>
        )}
      </>
    ),
  },
  {
    header: "Event types",
    cell: ({ eventTypes }) => (eventTypes === null ? "all" : eventTypes.join(", ")),
  },
  {
    header: "Filter",
    isSecondary: true,
    isWide: true,
    cell: ({ filter }) => filter !== null && <Code>{filter}</Code>,
  },
  {
    header: "Input",
    isSecondary: true,
    isWide: true,
    cell: ({ input }) =>
      input !== null &&
      input !== undefined && (
        <Code style={{ overflowWrap: "anywhere" }}>{JSON.stringify(input)}</Code>
      ),
  },
  {
    header: "Session",
    isSecondary: true,
    isWide: true,
    cell: ({ session }) =>
      session !== null &&
      session !== undefined && (
        <Code style={{ overflowWrap: "anywhere" }}>
          {typeof session === "string" ? session : JSON.stringify(session)}
        </Code>
      ),
  },
  { header: "Created", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** Lists, creates, changes and deletes the subscriptions of a webhook. */
export const SubscriptionSection = ({ webhook }: { webhook: string }) => {
  const tenant = useTenant();
  const mayWrite = useMay()("integrations:write");
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const menu = (subscription: WebhookSubscription) => (
    <SubscriptionMenu subscription={subscription} onOpen={setOpen} />
  );
  return (
    <Stack gap="xs" mt="md">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Subscriptions
        </Title>
        {mayWrite && (
          <Button size="xs" onClick={() => setOpen({ type: "create" })}>
            Add subscription
          </Button>
        )}
      </Group>
      <ResourceTable
        label="Subscriptions"
        list={useSubscriptions(webhook)}
        getId={({ id }) => id}
        columns={buildColumns(tenant)}
        actions={mayWrite ? menu : undefined}
        empty={
          <EmptyState title="No subscriptions yet">
            Add a subscription: its agent runs for every delivery that matches.
          </EmptyState>
        }
      />
      {open?.type === "create" && <SubscriptionDialog webhook={webhook} onClose={close} />}
      {open?.type === "edit" && (
        <SubscriptionDialog webhook={webhook} subscription={open.subscription} onClose={close} />
      )}
      {open?.type === "delete" && (
        <DeleteSubscriptionDialog subscription={open.subscription} onClose={close} />
      )}
    </Stack>
  );
};

type SubscriptionMenuProps = {
  subscription: WebhookSubscription;
  onOpen: (open: Open) => void;
};

const SubscriptionMenu = ({ subscription, onOpen }: SubscriptionMenuProps) => {
  const mayEdit = useMayRun([subscription]);
  const on = (type: "edit" | "delete") => () => onOpen({ type, subscription });
  return (
    <RowMenu
      name={`subscription of ${subscription.subscriberId}`}
      actions={[
        ...(mayEdit ? [{ label: "Edit", onClick: on("edit") }] : []),
        { label: "Delete", onClick: on("delete"), isDangerous: true },
      ]}
    />
  );
};

type DeleteSubscriptionDialogProps = { subscription: WebhookSubscription; onClose: () => void };

const DeleteSubscriptionDialog = ({ subscription, onClose }: DeleteSubscriptionDialogProps) => {
  const { mutateAsync } = useDeleteSubscription(subscription);
  return (
    <DeleteDialog name="the subscription" onDelete={() => mutateAsync()} onClose={onClose}>
      {subscription.subscriberType} {subscription.subscriberId} receives no further deliveries of
      this webhook.
    </DeleteDialog>
  );
};
