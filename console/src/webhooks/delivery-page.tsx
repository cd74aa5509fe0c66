import { Alert, Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { WebhookDeliveryDetail } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { Facts } from "../shared/facts.tsx";
import { formatPlural } from "../shared/format-plural.ts";
import { JsonView } from "../shared/json-view.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { RunTable } from "./run-table.tsx";
import { deliveryKinds } from "./status.ts";
import { useDelivery, useReplay } from "./use-deliveries.ts";
import { useMayRun } from "./use-may-run.ts";
import { useSubscriptions } from "./use-subscriptions.ts";

const route = getRouteApi("/t/$tenant/webhooks/$webhook/deliveries/$delivery");

/** Shows a delivery: its results per subscription, body and headers. Replays it. */
export const DeliveryPage = () => {
  const { webhook, delivery: id } = route.useParams();
  const tenant = useTenant();
  const mayReplay = useMay()("integrations:write");
  const mayRun = useMayRun(useSubscriptions(webhook).items);
  const [expected, setExpected] = useState(0);
  const { data: delivery, error } = useDelivery(webhook, id, expected);
  const replay = useReplay(webhook, id);
  if (!delivery) return error ? <ReadProblem error={error} /> : <PageLoader />;
  const start = (subscriptionId?: string): void =>
    replay.mutate(subscriptionId === undefined ? {} : { subscriptionId }, {
      onSuccess: ({ runs }) => setExpected(delivery.runs.length + runs.length),
    });
  const replayButton = mayReplay && mayRun && (
    <Button loading={replay.isPending} onClick={() => start()}>
      Replay
    </Button>
  );
  return (
    <Page
      title={delivery.eventType === null ? "Delivery" : `Delivery: ${delivery.eventType}`}
      back={`/t/${tenant}/webhooks/${webhook}`}
      description={<DeliveryFacts delivery={delivery} />}
      actions={replayButton}
    >
      <ReadProblem error={error} />
      <ProblemAlert error={replay.error} />
      {replay.data && (
        <Alert variant="outline" title="Replayed" role="status">
          {replay.data.runs.length === 0
            ? "The webhook has no subscriptions: subscribe an agent first."
            : `Replayed to ${formatPlural(replay.data.runs.length, "subscription")}.`}
        </Alert>
      )}
      <Stack gap="xs">
        <Title order={2} size="h4">
          Results
        </Title>
        <RunTable webhook={webhook} runs={delivery.runs} onReplay={mayReplay ? start : undefined} />
      </Stack>
      <Body delivery={delivery} />
      <JsonView label="Headers" value={delivery.headers} />
    </Page>
  );
};

const DeliveryFacts = ({ delivery }: { delivery: WebhookDeliveryDetail }) => {
  const { status, receivedAt, size, deliveryId, matched } = delivery;
  return (
    <Facts>
      <StatusBadge status={status} kind={deliveryKinds[status]} />
      {matched === false && <span>No subscriber matched</span>}
      <Time value={receivedAt} isExact />
      <span>{formatPlural(size, "byte")}</span>
      {deliveryId !== null && <span>Delivery ID {deliveryId}</span>}
    </Facts>
  );
};

const Body = ({ delivery: { payload, bodyUrl, size } }: { delivery: WebhookDeliveryDetail }) =>
  bodyUrl === null ? (
    <JsonView label="Body" value={payload} maxHeight={480} />
  ) : (
    <Text>
      The body has {formatPlural(size, "byte")}.{" "}
      <Anchor href={bodyUrl} target="_blank" rel="noreferrer">
        Open body
      </Anchor>
    </Text>
  );
