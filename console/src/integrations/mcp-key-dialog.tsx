import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { SecretField } from "../shared/secret-field.tsx";

type McpKeyDialogProps = { name: string; mcpKey: string; onClose: () => void };

/** Shows the key of an MCP server, once. */
export const McpKeyDialog = ({ name, mcpKey, onClose }: McpKeyDialogProps) => (
  <Modal
    opened
    onClose={onClose}
    title="Key of the MCP server"
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
    size="lg"
  >
    <Stack>
      <Text>Copy the key of “{name}” now: it is never shown again.</Text>
      <SecretField label="MCP key" value={mcpKey} description="Sent in the header X-API-KEY." />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  </Modal>
);
