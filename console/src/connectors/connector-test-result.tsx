import { Button, Group, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import type { Connector } from "../../../client/openapi.ts";
import { formatDuration } from "../shared/format.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { useTestConnector } from "./use-connectors.ts";

/** Tests the credentials of a connector, and shows its provider's response. */
export const ConnectorTestResult = ({ connector }: { connector: Connector }) => {
  const { mutate, data, error, isPending } = useTestConnector(connector);
  useEffect(() => mutate(), [mutate]);
  return (
    <Stack>
      <div aria-live="polite">
        {isPending && <Text>Calling the provider…</Text>}
        {data && (
          <Group gap="sm">
            <StatusBadge
              status={data.ok ? "The credentials are valid" : "The test failed"}
              kind={data.ok ? "good" : "bad"}
            />
            <Text size="sm">{formatDuration(data.latencyMs)}</Text>
            {data.upstreamStatus !== null && (
              <Text size="sm">HTTP status {data.upstreamStatus}</Text>
            )}
          </Group>
        )}
        {data?.detail && (
          <Text mt="xs" style={{ overflowWrap: "anywhere" }}>
            {data.detail}
          </Text>
        )}
      </div>
      <ProblemAlert error={error} />
      <Group>
        <Button variant="default" onClick={() => mutate()} loading={isPending}>
          Test again
        </Button>
      </Group>
    </Stack>
  );
};
