import { Alert, Button, Stack, Text, Title } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Webhook } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { Facts } from "../shared/facts.tsx";
import { InboundAddress } from "../shared/inbound-address.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { SecretField } from "../shared/secret-field.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { providerLabel } from "./providers.ts";
import { webhookKinds } from "./status.ts";
import { SubscriptionSection } from "./subscription-section.tsx";
import { TestEvent } from "./test-event.tsx";
import { useRetryRegistration, useWebhook } from "./use-webhooks.ts";
import { type OpenWebhookDialog, WebhookDialog } from "./webhook-dialog.tsx";

const route = getRouteApi("/t/$tenant/webhooks/$webhook");

/** Shows a webhook with its subscriptions and deliveries. */
export const WebhookPage = () => {
  const { webhook: id } = route.useParams();
  const tenant = useTenant();
  const { data: webhook, error } = useWebhook(id);
  // Open dialogs stay if a later read fails.
  if (!webhook) return error ? <ReadProblem error={error} /> : <PageLoader />;
  return (
    <Page
      title={`${providerLabel(webhook.provider)} webhook`}
      back={`/t/${tenant}/webhooks`}
      description={<WebhookFacts webhook={webhook} />}
      actions={<WebhookActions webhook={webhook} />}
    >
      <ReadProblem error={error} />
      <RegistrationProblem webhook={webhook} />
      {webhook.authMode === "HMAC" ? (
        <SecretField label="Address" value={webhook.webhookUrl} />
      ) : (
        <InboundAddress url={webhook.webhookUrl} keyName={`Webhook ${webhook.provider}`} />
      )}
      <SubscriptionSection webhook={id} />
      <Stack gap="xs" mt="md">
        <Title order={2} size="h4">
          Deliveries
        </Title>
        <Text c="dimmed" size="sm">
          Updates live. Deliveries are kept for 30 days.
        </Text>
        <TestEvent webhook={webhook} />
        <DeliveryTable webhook={id} />
      </Stack>
    </Page>
  );
};

const WebhookFacts = ({ webhook }: { webhook: Webhook }) => {
  const { status, authMode, externalContext, filter, createdAt, expiresAt } = webhook;
  return (
    <Facts>
      <StatusBadge status={status} kind={webhookKinds[status]} />
      <span>{authMode === "HMAC" ? "Signed by the provider" : "Key in the address"}</span>
      {externalContext !== null && <span>{externalContext}</span>}
      {filter !== null && <span>Filter: {filter}</span>}
      <span>
        Created <Time value={createdAt} />
      </span>
      {expiresAt !== null && (
        <span>
          Listener expires <Time value={expiresAt} />
        </span>
      )}
    </Facts>
  );
};

const WebhookActions = ({ webhook }: { webhook: Webhook }) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayWrite = useMay()("integrations:write");
  const [open, setOpen] = useState<OpenWebhookDialog>();
  if (!mayWrite) return null;
  return (
    <>
      <RowMenu
        name={providerLabel(webhook.provider)}
        actions={[
          { label: "Edit", onClick: () => setOpen({ type: "edit", webhook }) },
          {
            label: "Delete",
            onClick: () => setOpen({ type: "delete", webhook }),
            isDangerous: true,
          },
        ]}
      />
      <WebhookDialog
        open={open}
        onOpen={setOpen}
        onDeleted={() => void navigate({ to: "/t/$tenant/webhooks", params: { tenant } })}
        onClose={() => setOpen(undefined)}
      />
    </>
  );
};

/** Shows why the registration at the provider failed, and retries it. */
const RegistrationProblem = ({ webhook }: { webhook: Webhook }) => {
  const mayWrite = useMay()("integrations:write");
  const retry = useRetryRegistration(webhook.id);
  if (webhook.statusReason === null) return null;
  const isFailed = webhook.status === "FAILED";
  return (
    <Alert
      color={isFailed ? "red" : "blue"}
      variant="outline"
      title={isFailed ? "Registration failed" : "Note"}
    >
      <Text size="sm">{webhook.statusReason}</Text>
      {isFailed && mayWrite && (
        <Button
          mt="xs"
          size="xs"
          variant="default"
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Retry registration
        </Button>
      )}
      <ProblemAlert error={retry.error} />
    </Alert>
  );
};
