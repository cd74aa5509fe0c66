import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { IssuedApiKey } from "../../../client/openapi.ts";
import { SecretField } from "../shared/secret-field.tsx";

type IssuedKeyDialogProps = { issued: IssuedApiKey; wasRotated: boolean; onClose: () => void };

/** Shows the secret of a key, once. */
export const IssuedKeyDialog = ({ issued, wasRotated, onClose }: IssuedKeyDialogProps) => (
  <Modal
    opened
    onClose={onClose}
    title={wasRotated ? "New secret" : "Key created"}
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
    size="lg"
  >
    <Stack>
      <Text>Copy the secret of “{issued.name}” now: it is never shown again.</Text>
      <SecretField label="API key" value={issued.key ?? ""} />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  </Modal>
);
