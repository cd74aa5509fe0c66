import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import type { Connector } from "../../../client/openapi.ts";
import { formatDuration } from "../shared/format.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { useTestConnector } from "./use-connectors.ts";

type TestConnectorDialogProps = { connector: Connector; onClose: () => void };

/** Tests the credentials of a connector, and shows its provider's response. */
export const TestConnectorDialog = ({ connector, onClose }: TestConnectorDialogProps) => {
  const { mutate, data, error, isPending } = useTestConnector(connector);
  useEffect(() => mutate(), [mutate]);
  return (
    <Modal opened onClose={onClose} title={`Test ${connector.name}`}>
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
        <Group justify="flex-end">
          <Button variant="default" onClick={() => mutate()} loading={isPending}>
            Test again
          </Button>
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
};
