import { Button, Group, Modal, Stack } from "@mantine/core";
import type { Connector } from "../../../client/openapi.ts";
import { ConnectorTestResult } from "./connector-test-result.tsx";

type TestConnectorDialogProps = { connector: Connector; onClose: () => void };

/** Tests the credentials of a connector. */
export const TestConnectorDialog = ({ connector, onClose }: TestConnectorDialogProps) => (
  <Modal opened onClose={onClose} title={`Test ${connector.name}`}>
    <Stack>
      <ConnectorTestResult connector={connector} />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  </Modal>
);
