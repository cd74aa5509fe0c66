import { Anchor, Button, Code, NativeSelect } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Webhook } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { isEmptyList } from "../shared/is-empty-list.ts";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { providerLabel, webhookProviders } from "./providers.ts";
import { webhookKinds } from "./status.ts";
import { useWebhooks } from "./use-webhooks.ts";
import { type OpenWebhookDialog, WebhookDialog } from "./webhook-dialog.tsx";

const route = getRouteApi("/t/$tenant/webhooks");

const buildColumns = (tenant: string): Column<Webhook>[] => [
  {
    header: "Provider",
    cell: ({ id, provider }) => (
      <Anchor component={Link} to={`/t/${tenant}/webhooks/${id}`}>
        {providerLabel(provider)}
      </Anchor>
    ),
  },
  { header: "ID", isSecondary: true, isWide: true, cell: ({ id }) => <Code>{id}</Code> },
  {
    header: "External context",
    isSecondary: true,
    cell: ({ externalContext }) => externalContext ?? "",
  },
  {
    header: "Status",
    cell: ({ status }) => <StatusBadge status={status} kind={webhookKinds[status]} />,
  },
  { header: "Created", cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** Lists, creates, changes and deletes webhooks. */
export const WebhooksPage = () => {
  const tenant = useTenant();
  const mayWrite = useMay()("integrations:write");
  const { provider } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useWebhooks(provider);
  const [open, setOpen] = useState<OpenWebhookDialog>();
  const createButton = mayWrite && (
    <Button onClick={() => setOpen({ type: "create" })}>Create webhook</Button>
  );
  const menu = (webhook: Webhook) => (
    <RowMenu
      name={`${providerLabel(webhook.provider)} ${webhook.id}`}
      actions={[
        { label: "Edit", onClick: () => setOpen({ type: "edit", webhook }) },
        { label: "Delete", onClick: () => setOpen({ type: "delete", webhook }), isDangerous: true },
      ]}
    />
  );
  return (
    <Page
      title="Webhooks"
      description="Addresses that providers send events to, which run agents."
      actions={!isEmptyList(list) && createButton}
    >
      <NativeSelect
        label="Show provider"
        maw={260}
        value={provider ?? ""}
        data={[
          { value: "", label: "All" },
          ...webhookProviders.map(({ id, label }) => ({ value: id, label })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: value === "" ? {} : { provider: value }, replace: true })
        }
      />
      <ResourceTable
        label="Webhooks"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant)}
        actions={mayWrite ? menu : undefined}
        empty={
          provider === undefined ? (
            <EmptyState title="No webhooks yet" docs="webhooks" action={createButton}>
              Create a webhook, enter its address at the provider, and subscribe an agent to it.
            </EmptyState>
          ) : (
            <EmptyState title="No webhooks" action={createButton}>
              {`There is no webhook of ${providerLabel(provider)}. Choose All to see the others.`}
            </EmptyState>
          )
        }
      />
      <WebhookDialog open={open} onOpen={setOpen} onClose={() => setOpen(undefined)} />
    </Page>
  );
};
