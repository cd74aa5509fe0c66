import { Button, Group, NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Webhook } from "../../../client/openapi.ts";
import { sampleEventTypes } from "../../../lib/vendors/registry/sample-event-types.ts";
import { useMay } from "../session/permissions.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { useSendTestEvent } from "./use-deliveries.ts";
import { useMayRun } from "./use-may-run.ts";
import { useSubscriptions } from "./use-subscriptions.ts";

/** Sends a sample event, which then is in the list of deliveries. */
export const TestEvent = ({ webhook }: { webhook: Webhook }) => {
  const mayWrite = useMay()("integrations:write");
  const mayRun = useMayRun(useSubscriptions(webhook.id).items);
  const { mutate, isPending, error } = useSendTestEvent(webhook.id);
  const eventTypes = sampleEventTypes[webhook.provider] ?? [];
  const [chosen, setChosen] = useState<string>();
  const eventType = chosen ?? eventTypes[0];
  if (!mayWrite || !mayRun || webhook.status === "DISABLED") return null;
  return (
    <>
      <Group gap="sm" align="flex-end">
        {eventTypes.length > 1 && (
          <NativeSelect
            label="Event of the test"
            data={[...eventTypes]}
            value={eventType}
            onChange={({ currentTarget: { value } }) => setChosen(value)}
          />
        )}
        <Button variant="default" loading={isPending} onClick={() => mutate(eventType)}>
          Send test event
        </Button>
      </Group>
      <ProblemAlert error={error} />
    </>
  );
};
